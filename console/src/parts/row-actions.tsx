import { Group } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { RowAction } from './row-action.tsx'

interface Props {
  /** Named with the record, for who cannot see the row: `Edit Algebra`. */
  edit: { label: string; run: () => void }
  remove: { label: string; run: () => void }
}

export function RowActions({ edit, remove }: Props) {
  return (
    <Group gap={4} wrap="nowrap">
      <RowAction label={edit.label} Icon={IconPencil} onClick={edit.run} />
      <RowAction label={remove.label} Icon={IconTrash} onClick={remove.run} isDangerous />
    </Group>
  )
}
