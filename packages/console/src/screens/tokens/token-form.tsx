import { Checkbox, Stack, TextInput } from '@mantine/core'
import { LENGTH } from '../../../../../src/limits.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { filled } from '../../forms/checks.ts'
import { useRecordForm } from '../../forms/use-record-form.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { DueDateInput } from '../../parts/due-date-input.tsx'
import { useWords } from '../../words/index.tsx'

type Fields = Pick<Schemas['AccessToken'], 'name' | 'scopes' | 'expires_at'>
type Scope = Fields['scopes'][number]

/** The scopes are the same default as in the API. */
const EMPTY: Fields = { name: '', scopes: ['users:write', 'product_accesses:write'], expires_at: null }

interface Props {
  store: string
  token: Schemas['AccessToken'] | undefined
  onClose: () => void
  onIssued: (token: Schemas['IssuedAccessToken']) => void
}

export function TokenForm({ store, token, onClose, onIssued }: Props) {
  const { common, tokens } = useWords()
  const path = { store_id: store }
  const { text, input, form } = useRecordForm({
    before: token ?? EMPTY,
    checks: ({ name, scopes, expires_at }, before) => ({
      name: [name, filled(LENGTH.name)],
      scopes: [scopes.join(' '), (chosen) => chosen !== ''],
      // An expiry that the token already has is not sent, so it may lie in the past.
      expires_at: [expires_at ?? '', (at) => at === '' || at === before.expires_at || Date.parse(at) > Date.now()],
    }),
    send: async ({ name, scopes, expires_at }: Fields, changes) => {
      if (token === undefined) {
        const body = { name, scopes, expires_at }
        return bodyOf(api.POST('/admin/stores/{store_id}/tokens', { params: { path }, body }))
      }
      const { id } = token
      await api.PATCH('/admin/stores/{store_id}/tokens/{id}', { params: { path: { ...path, id } }, body: changes })
      return undefined
    },
    ...(token && { done: common.saved }),
    onDone: (issued) => {
      onClose()
      if (issued) onIssued(issued)
    },
  })
  const scopes = input('scopes')
  return (
    <DialogForm {...form} action={token === undefined ? common.create : common.save} onCancel={onClose}>
      <TextInput {...text('name')} label={tokens.name} description={tokens.nameHint} required data-autofocus />
      <Checkbox.Group
        {...scopes}
        label={tokens.scopes}
        onChange={(chosen) => scopes.onChange(scopesAmong(chosen, tokens.scopeWords))}
      >
        <Stack gap="sm" mt="xs">
          {Object.entries(tokens.scopeWords).map(([scope, { name, allows }]) => (
            <Checkbox key={scope} value={scope} label={name} description={allows} />
          ))}
        </Stack>
      </Checkbox.Group>
      <DueDateInput {...input('expires_at')} label={tokens.expires} description={tokens.expiresHint} />
    </DialogForm>
  )
}

/** Returns the scopes in the order of the form, whatever the order in which they were clicked. */
function scopesAmong(chosen: string[], words: Record<Scope, unknown>): Scope[] {
  return Object.keys(words).filter((scope): scope is Scope => chosen.includes(scope))
}
