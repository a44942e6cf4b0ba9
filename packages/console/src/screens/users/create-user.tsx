import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange, useIdempotencyKey } from '../../api/changes.ts'
import { api, bodyOf } from '../../api/client.ts'
import { useCustomFields } from '../../api/custom-fields.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { useFormErrors } from '../../forms/form-errors.ts'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { type Draft, newUserOf, type User } from './draft.ts'
import { checksOf } from './draft-checks.ts'
import { UserInputs } from './user-inputs.tsx'

export function CreateUser({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { users } = useWords()
  return (
    <Dialog title={users.create} size="lg" isOpen={isOpen} onClose={onClose}>
      <CreateForm onClose={onClose} />
    </Dialog>
  )
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const { users } = useWords()
  const store = useStore()
  const navigate = useNavigate()
  const { key } = useIdempotencyKey()
  const [draft, setDraft] = useState<Draft>(new Map())
  const { data: definitions = [] } = useCustomFields(store)
  const creation = useChange<void, User>({
    change: () =>
      bodyOf(
        api.POST('/admin/stores/{store_id}/users', {
          params: { path: { store_id: store }, header: { 'X-Idempotency-Key': key } },
          body: newUserOf(draft),
        }),
      ),
    done: users.created,
    onDone: ({ id }) => void navigate({ to: '/s/$store/users/$id', params: { store, id } }),
  })
  const errors = useFormErrors(creation.failure, checksOf(draft, definitions))
  return (
    <DialogForm
      action={users.create}
      change={creation}
      errors={errors}
      onSubmit={() => creation.run()}
      onCancel={onClose}
    >
      <UserInputs
        isNew
        draft={draft}
        onChange={setDraft}
        errors={errors.shown}
        existing={creation.failure?.existingId}
        definitions={definitions}
      />
    </DialogForm>
  )
}
