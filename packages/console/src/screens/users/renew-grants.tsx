import { List, Text } from '@mantine/core'
import { useChange, useIdempotencyKey } from '../../api/changes.ts'
import { AccessStateBadge } from '../../parts/access-state.tsx'
import { DialogForm } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'
import { endOfGrant } from '../user/grant-products.ts'
import { type Lapsed, renew } from './lapsed.ts'
import { fullName } from './selection.tsx'

interface Props {
  lapsed: Lapsed[]
  dueDate: string | null | undefined
  onClose: () => void
}

/** Offers to renew the accesses of people who had one that has ended or is closed. */
export function RenewGrants({ lapsed, dueDate, onClose }: Props) {
  const { bulk, dueDate: words, users } = useWords()
  const store = useStore()
  const zone = useZone()
  const { key } = useIdempotencyKey()
  const renewal = useChange<void, void>({
    change: () => renew({ store, lapsed, dueDate, key, zone }),
    done: bulk.started,
    onDone: onClose,
  })
  return (
    <DialogForm action={users.renew(lapsed.length)} change={renewal} onSubmit={() => renewal.run()} onCancel={onClose}>
      <Text size="sm" role="status">
        {users.lapsed(lapsed.length)}
      </Text>
      <List size="sm" spacing={6}>
        {lapsed.map(({ user, product, access }) => (
          <List.Item key={access.id}>
            <b>{fullName(user)}</b>, {product.name} <AccessStateBadge access={access} />{' '}
            <Text size="xs" c="dimmed">
              {users.newEnd} <Moment at={endOfGrant(product, dueDate, zone)} empty={words.noLimit} />
            </Text>
          </List.Item>
        ))}
      </List>
    </DialogForm>
  )
}
