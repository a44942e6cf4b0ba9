import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { api } from '../../api/client.ts'
import { forgetPeople } from '../../import/saved-undo.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { PersonDownload } from './person-download.tsx'
import type { UserWithEtag } from './read-user.ts'

interface Props {
  state: UserWithEtag
  isOpen: boolean
  onClose: () => void
}

/** The operator has to type the email, so that nobody is erased by a wrong click. */
export function EraseUser({ state, isOpen, onClose }: Props) {
  const { user } = useWords()
  return (
    <Dialog title={user.eraseTitle} isOpen={isOpen} onClose={onClose}>
      <EraseForm state={state} onClose={onClose} />
    </Dialog>
  )
}

function EraseForm({ state: { body, etag }, onClose }: Omit<Props, 'isOpen'>) {
  const { user } = useWords()
  const store = useStore()
  const [typed, setTyped] = useState('')
  const erasure = useChange<void, void>({
    change: async () => {
      await api.DELETE('/admin/stores/{store_id}/users/{id}', {
        params: { path: { store_id: store, id: body.id }, header: { 'If-Match': etag } },
      })
      await forgetPeople(store, [{ id: body.id, email: body.email }])
    },
    // The screen then reads the user again, and says who was erased and when.
    done: user.erased,
    onDone: onClose,
  })
  return (
    <DialogForm
      action={user.eraseForGood}
      change={erasure}
      onSubmit={() => erasure.run()}
      onCancel={onClose}
      isDangerous
      isDisabled={typed !== body.email}
    >
      <Text size="sm">{user.eraseWarning}</Text>
      <Text size="sm">{user.copiesStay}</Text>
      <PersonDownload user={body} />
      <TextInput
        label={user.typeToErase(body.email)}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </DialogForm>
  )
}
