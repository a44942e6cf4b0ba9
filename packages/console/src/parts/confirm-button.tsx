import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useChange } from '../api/changes.ts'
import { Confirm } from './confirm.tsx'

interface Props<Out> extends Pick<ButtonProps, 'size' | 'variant' | 'color' | 'leftSection'> {
  label: string
  /** What the button does, with the name of the record, if its label only has the verb. */
  'aria-label'?: string
  /** Those of the dialog; by default the label. */
  title?: string
  action?: string
  send: () => Promise<Out>
  done: string | ((out: Out) => string)
  onDone?: ((out: Out) => void) | undefined
  onClose?: () => void
  isDangerous?: boolean
  isDisabled?: boolean
  children: ReactNode
}

/** A button for a change that is confirmed in a dialog before it is sent. */
export function ConfirmButton<Out>({ label, title, action, send, done, onDone, onClose, ...props }: Props<Out>) {
  const { isDangerous = false, isDisabled = false, children, ...button } = props
  const [isOpen, { open, close }] = useDisclosure()
  const end = () => {
    close()
    onClose?.()
  }
  const change = useChange<void, Out>({
    change: send,
    done,
    onDone: (out) => {
      end()
      onDone?.(out)
    },
  })
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {label}
      </Button>
      <Confirm
        title={title ?? label}
        action={action ?? label}
        isOpen={isOpen}
        onClose={end}
        change={change}
        isDangerous={isDangerous}
        isDisabled={isDisabled}
      >
        {children}
      </Confirm>
    </>
  )
}
