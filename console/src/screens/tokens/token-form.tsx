import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LENGTH } from '../../../../src/limits.ts'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { DueDateInput } from '../../parts/due-date-input.tsx'
import { changed } from '../../forms/changed.ts'
import { filled } from '../../forms/checks.ts'
import { type Fields as CheckedFields, useFormErrors } from '../../forms/form-errors.ts'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'

type Token = Schemas['AccessToken']
type Scope = Token['scopes'][number]

/** The same default as in the API. */
const DEFAULT_SCOPES: Scope[] = ['users:write', 'product_accesses:write']

interface Fields {
  name: string
  scopes: Scope[]
  expires_at: string | null
}

interface CreateProps {
  isOpen: boolean
  onClose: () => void
  onIssued: (token: Schemas['IssuedAccessToken']) => void
}

export function CreateToken({ isOpen, onClose, onIssued }: CreateProps) {
  const { tokens } = useWords()
  return (
    <Dialog title={tokens.create} isOpen={isOpen} onClose={onClose} size="lg">
      <CreateForm onClose={onClose} onIssued={onIssued} />
    </Dialog>
  )
}

function CreateForm({ onClose, onIssued }: Omit<CreateProps, 'isOpen'>) {
  const words = useWords()
  const store = useStore()
  const [fields, setFields] = useState<Fields>({ name: '', scopes: DEFAULT_SCOPES, expires_at: null })
  const change = useChange({
    change: (body: Fields) =>
      bodyOf(api.POST('/admin/stores/{store_id}/tokens', { params: { path: { store_id: store } }, body })),
    onDone: (token) => {
      onClose()
      onIssued(token)
    },
  })
  const errors = useFormErrors(change.failure, checksOf(fields))
  return (
    <DialogForm
      action={words.common.create}
      change={change}
      errors={errors}
      onSubmit={() => change.run(fields)}
      onCancel={onClose}
    >
      <Inputs fields={fields} onChange={setFields} errors={errors.shown} />
    </DialogForm>
  )
}

export function EditToken({ token, isOpen, onClose }: { token: Token; isOpen: boolean; onClose: () => void }) {
  const { tokens } = useWords()
  return (
    <Dialog title={tokens.edit} isOpen={isOpen} onClose={onClose} size="lg">
      <EditForm token={token} onClose={onClose} />
    </Dialog>
  )
}

function EditForm({ token, onClose }: { token: Token; onClose: () => void }) {
  const words = useWords()
  const store = useStore()
  const [before] = useState<Fields>(() => ({ name: token.name, scopes: token.scopes, expires_at: token.expires_at }))
  const [fields, setFields] = useState(before)
  const change = useChange({
    change: (body: Partial<Fields>) =>
      bodyOf(
        api.PATCH('/admin/stores/{store_id}/tokens/{id}', {
          params: { path: { store_id: store, id: token.id } },
          body,
        }),
      ),
    done: words.common.saved,
    onDone: onClose,
  })
  const errors = useFormErrors(change.failure, checksOf(fields, before))
  return (
    <DialogForm
      action={words.common.save}
      change={change}
      errors={errors}
      onSubmit={() => change.run(changed(before, fields))}
      onCancel={onClose}
    >
      <Inputs fields={fields} onChange={setFields} errors={errors.shown} />
    </DialogForm>
  )
}

/** An expiry that the token already has is not sent, so it may lie in the past. */
function checksOf({ name, scopes, expires_at }: Fields, before?: Fields): CheckedFields {
  const isFuture = (text: string) => text === '' || text === before?.expires_at || Date.parse(text) > Date.now()
  return {
    name: [name, filled(LENGTH.name)],
    scopes: [scopes.join(' '), (text) => text !== ''],
    expires_at: [expires_at ?? '', isFuture],
  }
}

interface InputProps {
  fields: Fields
  onChange: (fields: Fields) => void
  errors: Record<string, string>
}

function Inputs({ fields, onChange, errors }: InputProps) {
  const { tokens } = useWords()
  return (
    <>
      <TextInput
        label={tokens.name}
        description={tokens.nameHint}
        value={fields.name}
        onChange={({ currentTarget }) => onChange({ ...fields, name: currentTarget.value })}
        error={errors['name']}
        required
        data-autofocus
      />
      <Checkbox.Group
        label={tokens.scopes}
        value={fields.scopes}
        onChange={(chosen) => onChange({ ...fields, scopes: scopesAmong(chosen, tokens.scopeWords) })}
        error={errors['scopes']}
      >
        <Stack gap="sm" mt="xs">
          {Object.entries(tokens.scopeWords).map(([scope, { name, allows }]) => (
            <Checkbox key={scope} value={scope} label={name} description={allows} />
          ))}
        </Stack>
      </Checkbox.Group>
      <DueDateInput
        label={tokens.expires}
        description={tokens.expiresHint}
        value={fields.expires_at}
        onChange={(expires_at) => onChange({ ...fields, expires_at })}
        error={errors['expires_at']}
      />
    </>
  )
}

/** Returns the scopes in the order of the form, whatever the order in which they were clicked. */
function scopesAmong(chosen: string[], words: Record<Scope, unknown>): Scope[] {
  return Object.keys(words).filter((scope): scope is Scope => chosen.includes(scope))
}
