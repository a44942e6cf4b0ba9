import { ActionIcon } from '@mantine/core'
import type { Icon } from '@primer/octicons-react'

interface Props {
  /** What the button does, with the name of the record: the button itself only shows an icon. */
  label: string
  Icon: Icon
  onClick: () => void
  isDangerous?: boolean
  isRunning?: boolean
}

export function RowAction({ label, Icon, onClick, isDangerous = false, isRunning = false }: Props) {
  return (
    <ActionIcon
      variant="subtle"
      color={isDangerous ? 'red' : 'gray'}
      aria-label={label}
      title={label}
      onClick={onClick}
      loading={isRunning}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  )
}
