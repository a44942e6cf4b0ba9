import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { DueDateInput } from '../../parts/due-date-input.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { isAnything } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { type AccessWithEtag, isOver, isSameEnd, readAccess } from './access.ts'
import { type AccessFormProps, ReloadButton } from './access-form.tsx'
import { ExtendForm } from './extend-form.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ProgressForm } from './progress-form.tsx'

export type AccessChange = 'extend' | 'due_date' | 'progress' | 'close' | 'reopen'

interface Props {
  id: string
  what: AccessChange
  isOpen: boolean
  onClose: () => void
}

/**
 * Changes the access on condition that it is still as it was when the dialog opened. If someone else was faster, the
 * API rejects the change and nothing is overwritten.
 */
export function AccessDialog({ id, what, isOpen, onClose }: Props) {
  const { user } = useWords()
  const titles = {
    extend: user.extendTitle,
    due_date: user.dueDateTitle,
    progress: user.progressTitle,
    close: user.closeTitle,
    reopen: user.reopenTitle,
  }
  return (
    <Dialog title={titles[what]} size={what === 'progress' ? 'lg' : 'md'} isOpen={isOpen} onClose={onClose}>
      <Loaded id={id} what={what} onClose={onClose} />
    </Dialog>
  )
}

function Loaded({ id, what, onClose }: Omit<Props, 'isOpen'>) {
  const store = useStore()
  const { data, error, refetch } = useQuery({
    queryKey: ['access', store, id],
    queryFn: () => readAccess(store, id),
    // The cache may have an old state from the last time this dialog was open.
    staleTime: 0,
    gcTime: 0,
  })
  const [accessState, setAccessState] = useState<AccessWithEtag>()
  if (accessState === undefined && data !== undefined) setAccessState(data)
  if (accessState === undefined) {
    if (error) return <FailureNote error={error} retry={() => void refetch()} />
    return <Loading p="md" />
  }
  // The ETag is the key of the form: after a reload the form starts with the current values.
  const form = {
    state: accessState,
    onClose,
    onReload: () => void refetch().then(({ data: now }) => now && setAccessState(now)),
  }
  if (what === 'progress') return <ProgressForm key={accessState.etag} {...form} />
  return what === 'extend' ? (
    <ExtendForm key={accessState.etag} {...form} />
  ) : (
    <StatusForm key={accessState.etag} what={what} {...form} />
  )
}

function StatusForm({ what, state, onClose, onReload }: AccessFormProps & { what: 'due_date' | 'close' | 'reopen' }) {
  const { user, common, dueDate: words } = useWords()
  const store = useStore()
  const { body, etag } = state
  const [dueDate, setDueDate] = useState(body.access_due_date)
  const [now] = useState(() => Date.now())
  const date = !isSameEnd(dueDate, body.access_due_date) && { access_due_date: dueDate }
  const changes: Record<typeof what, Schemas['UpdateProductAccess']> = {
    due_date: { ...date },
    close: { status: 'without_access' },
    reopen: { status: 'with_access', ...date },
  }
  const change = useChange<void, unknown>({
    change: () =>
      bodyOf(
        api.PUT('/admin/stores/{store_id}/product_accesses/{id}', {
          params: { path: { store_id: store, id: body.id }, header: { 'If-Match': etag } },
          body: changes[what],
        }),
      ),
    done: user.accessChanged,
    onDone: onClose,
  })
  const errors = useFormErrors(change.failure, what === 'close' ? {} : { access_due_date: [dueDate ?? '', isAnything] })
  const actions = { due_date: common.save, close: user.closeTitle, reopen: user.reopenTitle }
  return (
    <DialogForm action={actions[what]} change={change} errors={errors} onSubmit={() => change.run()} onCancel={onClose}>
      <Text fw={600}>{body.product.name}</Text>
      {what === 'close' ? (
        <Text size="sm">{user.closeHint(body.product.name)}</Text>
      ) : (
        <DueDateInput
          label={user.dueDate}
          value={dueDate}
          onChange={setDueDate}
          error={errors.shown['access_due_date']}
        />
      )}
      {what !== 'close' && isOver(dueDate, now) && <Alert color="yellow">{user.pastHint}</Alert>}
      {what === 'due_date' && isEarlier(dueDate, body.access_due_date) && (
        <Alert color="yellow">
          {user.earlierHint} <Moment at={body.access_due_date} empty={words.noLimit} />
        </Alert>
      )}
      {change.failure?.status === 412 && <ReloadButton onReload={onReload} />}
    </DialogForm>
  )
}

function isEarlier(dueDate: string | null, before: string | null): boolean {
  return dueDate !== null && (before === null || Date.parse(dueDate) < Date.parse(before))
}
