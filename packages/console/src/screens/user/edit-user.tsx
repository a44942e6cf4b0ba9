import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { api, withEtag } from '../../api/client.ts'
import { useCustomFields } from '../../api/custom-fields.ts'
import { toFailure } from '../../api/failure.ts'
import { useNote } from '../../api/notes.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { useFormErrors } from '../../forms/form-errors.ts'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { changesOf, type Difference, differences, draftOf, rebase } from '../users/draft.ts'
import { checksOf } from '../users/draft-checks.ts'
import { UserInputs } from '../users/user-inputs.tsx'
import { ConflictNote } from './conflict-note.tsx'
import { readUser, type UserWithEtag } from './read-user.ts'

interface Props {
  state: UserWithEtag
  isOpen: boolean
  onClose: () => void
}

export function EditUser({ state, isOpen, onClose }: Props) {
  const { user } = useWords()
  return (
    <Dialog title={user.edit} size="lg" isOpen={isOpen} onClose={onClose}>
      <EditForm opened={state} onClose={onClose} />
    </Dialog>
  )
}

/**
 * The changes refer to the state that the form began with, and are sent with its ETag. After a 412, the form continues
 * with the state that someone else has saved.
 */
function EditForm({ opened, onClose }: { opened: UserWithEtag; onClose: () => void }) {
  const { user, common } = useWords()
  const store = useStore()
  const note = useNote()
  const [base, setBase] = useState(opened)
  const [draft, setDraft] = useState(() => draftOf(opened.body))
  const [conflict, setConflict] = useState<Difference[]>()
  const { data: definitions = [] } = useCustomFields(store)
  const change = useChange<void, UserWithEtag | undefined>({
    change: () => saveOrReadAgain(store, base, changesOf(base.body, draft)),
    onDone: (now) => {
      if (now === undefined) {
        note(common.saved)
        onClose()
        return
      }
      setConflict(differences(base.body, now.body, draft))
      setDraft(rebase(base.body, now.body, draft))
      setBase(now)
    },
  })
  const errors = useFormErrors(change.failure, checksOf(draft, definitions, draftOf(base.body)))
  return (
    <DialogForm
      action={conflict ? user.saveAnyway : common.save}
      change={change}
      errors={errors}
      onSubmit={() => change.run()}
      onCancel={onClose}
    >
      {conflict && <ConflictNote key={base.etag} conflict={conflict} draft={draft} onChange={setDraft} />}
      <UserInputs
        isNew={false}
        draft={draft}
        onChange={setDraft}
        errors={errors.shown}
        existing={change.failure?.existingId}
        definitions={definitions}
      />
    </DialogForm>
  )
}

/** Returns undefined if the user was saved, or the current state if someone else has changed the user since (412). */
async function saveOrReadAgain(
  store: string,
  { body, etag }: UserWithEtag,
  changes: ReturnType<typeof changesOf>,
): Promise<UserWithEtag | undefined> {
  try {
    await withEtag(
      api.PATCH('/admin/stores/{store_id}/users/{id}', {
        params: { path: { store_id: store, id: body.id }, header: { 'If-Match': etag } },
        body: changes,
      }),
    )
    return undefined
  } catch (error) {
    if (toFailure(error).status !== 412) throw error
    return readUser(store, body.id)
  }
}
