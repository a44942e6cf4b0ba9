import { Progress, Text } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useNote } from '../../api/notes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useStore } from '../../store.ts'
import { useWords, type Words } from '../../words/index.tsx'
import { type Grant, GrantForm } from '../user/grant-form.tsx'
import type { User } from './draft.ts'
import { FailedGrants } from './failed-grants.tsx'
import { grantInBatches, MAX_ITEMS, type Outcome, type Result, type Results } from './grant-batches.ts'
import { findLapsed, type Lapsed } from './lapsed.ts'
import { RenewGrants } from './renew-grants.tsx'
import { fullName } from './selection.tsx'

interface Props {
  /** Undefined while the dialog is closed. It stays mounted then, or it could not return the focus. */
  people: User[] | undefined
  onClose: () => void
  /** Is called with the people who have every access now. */
  onGranted: (people: User[]) => void
}

/** Grants access to several people in one go. */
export function GrantToMany({ people, onClose, ...props }: Props) {
  const { user } = useWords()
  // A dialog that is open when it is mounted does not know which element had the focus before, and could not return it.
  const isMounted = useMounted()
  return (
    <Dialog title={user.grant} isOpen={isMounted && people !== undefined} onClose={onClose}>
      {people && <Steps {...props} people={people} onClose={onClose} />}
    </Dialog>
  )
}

function Steps({ people, onClose, onGranted }: Props & { people: User[] }) {
  const words = useWords()
  const store = useStore()
  const note = useNote()
  const isClosed = useIsClosed()
  const [results] = useState<Results>(() => new Map())
  const [progress, setProgress] = useState({ done: 0, all: 0 })
  const [failed, setFailed] = useState<Result[]>([])
  const [renewal, setRenewal] = useState<{ lapsed: Lapsed[]; dueDate: Grant['dueDate'] }>()
  const grant = useChange<Grant, Outcome & { lapsed: Lapsed[] }>({
    change: async ({ products, dueDate }) => {
      const outcome = await grantInBatches({
        store,
        people,
        products,
        dueDate,
        results,
        onProgress: (done, all) => setProgress({ done, all }),
        isStopped: isClosed,
      })
      return { ...outcome, lapsed: isClosed() ? [] : await findLapsed(store, outcome.existing) }
    },
    onDone: (outcome, { dueDate }) => {
      note(outcomeText(outcome, words), outcome.failed.length + outcome.unsent === 0 ? 'good' : 'bad')
      onGranted(outcome.complete)
      setFailed(outcome.failed)
      // The dialog may have been opened again for others in the meantime, which this must not close.
      if (outcome.lapsed.length > 0) setRenewal({ lapsed: outcome.lapsed, dueDate })
      else if (outcome.failed.length === 0 && !isClosed()) onClose()
    },
  })
  if (renewal) return <RenewGrants {...renewal} onClose={failed.length > 0 ? () => setRenewal(undefined) : onClose} />
  if (failed.length > 0) return <FailedGrants failed={failed} onClose={onClose} />
  return (
    <GrantForm given={[]} change={grant} onCancel={onClose} intro={<ForWhom people={people} />}>
      {grant.isRunning && progress.all > MAX_ITEMS && <Sent {...progress} />}
    </GrantForm>
  )
}

/** Returns a function that says whether the component is no longer on the screen. */
function useIsClosed(): () => boolean {
  const closed = useRef<AbortSignal>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    closed.current = controller.signal
    return () => controller.abort()
  }, [])
  return () => closed.current?.aborted === true
}

function outcomeText({ granted, existing, failed, unsent }: Outcome, { users }: Words): string {
  const texts = [users.granted(granted)]
  const had = new Set(existing.map(({ user }) => user.id)).size
  if (had > 0) texts.push(users.hadOne(had))
  if (failed.length > 0) texts.push(users.notGranted(failed.length))
  if (unsent > 0) texts.push(users.notSent(unsent))
  return texts.join(' ')
}

/** With more names than this, the inputs would be out of view. */
const SHOWN = 10

function ForWhom({ people }: { people: User[] }) {
  const { lists, users } = useWords()
  const names = people.slice(0, SHOWN).map(fullName).join(', ')
  const more = people.length - SHOWN
  return (
    <div>
      <Text size="sm">
        <b>{lists.users(people.length)}:</b> {names} {more > 0 && users.andMore(more)}
      </Text>
      <Text size="sm" c="dimmed">
        {users.existingStay}
      </Text>
    </div>
  )
}

function Sent({ done, all }: { done: number; all: number }) {
  const { users } = useWords()
  const text = users.grantedOf(done, all)
  return (
    <div>
      <Text size="sm" role="status">
        {text}
      </Text>
      <Progress value={(100 * done) / all} aria-label={text} />
    </div>
  )
}
