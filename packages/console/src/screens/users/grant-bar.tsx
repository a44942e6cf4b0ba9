import { Box, Button, Group, Paper, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { XIcon } from '@primer/octicons-react'
import { lazy, Suspense, useRef } from 'react'
import { LoadingDialog } from '../../parts/loading.tsx'
import { useLazyDialog } from '../../parts/use-lazy-dialog.ts'
import { useWords } from '../../words/index.tsx'
import { useStore } from '../../store.ts'
import { type BulkScope, MAX_CHOSEN } from '../bulk-changes/scope.ts'
import type { User } from './draft.ts'
import { SelectionDownload } from './selection-download.tsx'
import { fullName, useSelectedUsers } from './selection.tsx'

/** The dialog includes the calendar, which is large, so it is loaded only when it is first opened. */
const GrantToMany = lazy(async () => ({ default: (await import('./grant-to-many.tsx')).GrantToMany }))
const BulkDialog = lazy(async () => ({ default: (await import('../bulk-changes/bulk-dialog.tsx')).BulkDialog }))

/**
 * Names the users who are selected in the list, and grants them access. Its key must be the store, or a dialog that is
 * open while the store changes would grant the users of one store the products of another.
 */
export function GrantBar({ isListEmpty }: { isListEmpty: boolean }) {
  const { selected, unselect } = useSelectedUsers()
  const dialog = useLazyDialog<User[]>()
  const bulk = useLazyDialog<BulkScope>()
  const store = useStore()
  return (
    <>
      {!(isListEmpty && selected.length === 0) && (
        <Bar
          selected={selected}
          onUnselect={unselect}
          onGrant={() => dialog.open(selected)}
          onChange={(kind) => bulk.open({ filter: {}, people: selected, kind })}
        />
      )}
      {dialog.wasOpened && (
        <Suspense fallback={<LoadingDialog />}>
          <GrantToMany people={dialog.subject} onClose={dialog.close} onGranted={unselect} />
        </Suspense>
      )}
      {bulk.wasOpened && (
        <Suspense fallback={<LoadingDialog />}>
          <BulkDialog store={store} scope={bulk.subject} onClose={bulk.close} />
        </Suspense>
      )}
    </>
  )
}

interface BarProps {
  selected: User[]
  onUnselect: (users: User[]) => void
  onGrant: () => void
  onChange: (kind: 'extend' | 'close') => void
}

function Bar({ selected, onUnselect, onGrant, onChange }: BarProps) {
  const { accesses, user, users } = useWords()
  const isTooMany = selected.length > MAX_CHOSEN
  const bar = useRef<HTMLElement>(null)
  const isNone = selected.length === 0
  const unselect = (removed: User[]) => {
    onUnselect(removed)
    // The button that was pressed disappears. Without this, the keyboard would start again at the top of the page.
    bar.current?.focus()
  }
  return (
    <Paper
      component="section"
      aria-label={users.selected}
      ref={bar}
      tabIndex={-1}
      withBorder
      p="xs"
      pl="md"
      // On a phone, it would push the list out of view.
      {...(isNone && { visibleFrom: 'sm' as const })}
    >
      <Group justify="space-between" align="start" gap="xs">
        <Group gap="xs" flex="1 1 16rem" miw={0} mih={30}>
          <Text size="sm" aria-live="polite">
            {isNone ? users.selectHint : accesses.selected(selected.length)}
          </Text>
          {!isNone && <Names selected={selected} onUnselect={(removed) => unselect([removed])} />}
          {!isNone && (
            <Button size="compact-sm" variant="subtle" onClick={() => unselect(selected)}>
              {accesses.selectNone}
            </Button>
          )}
        </Group>
        <Group gap="xs">
          {!isNone && (
            <>
              <Button size="xs" variant="default" disabled={isTooMany} onClick={() => onChange('extend')}>
                {user.extendAll}
              </Button>
              <Button size="xs" variant="default" disabled={isTooMany} onClick={() => onChange('close')}>
                {user.closeAll}
              </Button>
              <SelectionDownload users={selected} />
            </>
          )}
          <Button
            size="xs"
            // A button with `disabled` cannot have the focus, and the dialog could not return it after a grant.
            aria-disabled={isNone}
            data-disabled={isNone}
            onClick={() => !isNone && onGrant()}
          >
            {user.grant}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}

/** With more names than this, the list below would be out of view. */
const SHOWN = 10

function Names({ selected, onUnselect }: { selected: User[]; onUnselect: (user: User) => void }) {
  const { users } = useWords()
  const [isOpen, { toggle }] = useDisclosure()
  const more = selected.length - SHOWN
  return (
    <Group component="ul" gap={6} m={0} p={0} miw={0} maw="100%" style={{ listStyle: 'none' }}>
      {(isOpen ? selected : selected.slice(0, SHOWN)).map((user) => (
        <Box component="li" key={user.id} maw="100%">
          <Button
            size="compact-sm"
            variant="default"
            fw={400}
            maw="100%"
            title={user.email}
            aria-label={users.unselect(fullName(user))}
            rightSection={<XIcon size={14} aria-hidden />}
            onClick={() => onUnselect(user)}
          >
            {fullName(user)}
          </Button>
        </Box>
      ))}
      {more > 0 && (
        <li>
          <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? users.showFewer : users.andMore(more)}
          </Button>
        </li>
      )}
    </Group>
  )
}
