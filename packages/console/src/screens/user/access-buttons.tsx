import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { isOpenStatus } from '../../parts/access-states.ts'
import { useWords } from '../../words/index.tsx'
import type { Access } from './access.ts'
import { AccessDialog, type AccessChange } from './access-dialog.tsx'

export function AccessButtons({ access }: { access: Access }) {
  const { user } = useWords()
  const [chosen, setChosen] = useState<AccessChange>('due_date')
  const [isOpen, setIsOpen] = useState(false)
  const buttons = [
    // An access without a limit cannot become longer.
    ...(access.access_due_date === null ? [] : [{ label: user.extend, what: 'extend' as const }]),
    { label: user.changeDueDate, what: 'due_date' as const },
    { label: user.changeProgress, what: 'progress' as const },
    isOpenStatus(access.status)
      ? { label: user.closeAccess, what: 'close' as const }
      : { label: user.reopenAccess, what: 'reopen' as const },
  ]
  return (
    <Group gap={6}>
      {buttons.map(({ label, what }) => (
        <Button
          key={what}
          size="compact-sm"
          variant="default"
          aria-label={user.withProduct(label, access.product.name)}
          onClick={() => {
            setChosen(what)
            setIsOpen(true)
          }}
        >
          {label}
        </Button>
      ))}
      <AccessDialog id={access.id} what={chosen} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </Group>
  )
}
