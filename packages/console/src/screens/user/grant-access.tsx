import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import type { User } from '../users/draft.ts'
import { type Grant, GrantForm } from './grant-form.tsx'
import { grantProducts } from './grant-products.ts'

interface Props {
  user: User
  /** Ids of the products that the user already has access to; granting them again would fail. */
  given: string[]
  isOpen: boolean
  onClose: () => void
}

/** Grants access to one person. */
export function GrantAccess({ isOpen, ...props }: Props) {
  const words = useWords()
  return (
    <Dialog title={words.user.grant} isOpen={isOpen} onClose={props.onClose}>
      <GrantToOne {...props} />
    </Dialog>
  )
}

function GrantToOne({ user, given, onClose }: Omit<Props, 'isOpen'>) {
  const words = useWords()
  const store = useStore()
  /** One idempotency key for each product, so that a form that is sent again grants nothing twice. */
  const [key] = useState(() => crypto.randomUUID())
  const grant = useChange<Grant, number>({
    change: async ({ products, dueDate }) => {
      await grantProducts({ store, key, user, products: products.map(({ id }) => id), dueDate })
      return products.length
    },
    done: words.user.grantedMany,
    onDone: onClose,
  })
  return <GrantForm given={given} change={grant} onCancel={onClose} />
}
