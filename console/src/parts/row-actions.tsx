import { Group } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { RowAction } from './row-action.tsx'

interface Props {
  /** The label includes the record, as in `Edit Algebra`; screen readers announce the button without its row. */
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
