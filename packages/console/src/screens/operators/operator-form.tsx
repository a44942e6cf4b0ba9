import { MultiSelect, Radio, Stack, TextInput } from '@mantine/core'
import { LENGTH } from '../../../../../src/limits.ts'
import { choiceIn } from '../../address.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useAllStores } from '../../api/stores.ts'
import { emptyOr, filled, isAnything, isEmail } from '../../forms/checks.ts'
import { useRecordForm } from '../../forms/use-record-form.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { useWords } from '../../words/index.tsx'

const ROLES = ['viewer', 'office', 'admin'] as const
/** A longer list of suggestions would make the dialog slow. Typing narrows it down. */
const MAX_SUGGESTIONS = 50

/** Null for the stores means all of them. */
type Fields = Pick<Schemas['Operator'], 'name' | 'role' | 'email' | 'stores'>

const EMPTY: Fields = { name: '', role: 'viewer', email: null, stores: null }

interface Props {
  operator: Schemas['Operator'] | undefined
  onClose: () => void
  onIssued: (operator: Schemas['OperatorWithToken']) => void
}

export function OperatorForm({ operator, onClose, onIssued }: Props) {
  const { common, operators, roles } = useWords()
  const { set, text, input, form } = useRecordForm({
    before: operator ?? EMPTY,
    checks: ({ name, role, email, stores }) => ({
      name: [name, filled(LENGTH.name)],
      role: [role, isAnything],
      email: [email ?? '', emptyOr(isEmail)],
      stores: [stores?.join(' ') ?? 'all', (chosen) => chosen !== ''],
    }),
    send: async ({ name, role, email, stores }: Fields, changes) => {
      if (operator === undefined) return bodyOf(api.POST('/admin/operators', { body: { name, role, email, stores } }))
      await api.PATCH('/admin/operators/{id}', { params: { path: { id: operator.id } }, body: changes })
      return undefined
    },
    ...(operator && { done: common.saved }),
    onDone: (issued) => {
      onClose()
      if (issued) onIssued(issued)
    },
  })
  const role = input('role')
  return (
    <DialogForm {...form} action={operator === undefined ? common.add : common.save} onCancel={onClose}>
      <TextInput {...text('name')} label={operators.name} description={operators.nameHint} required data-autofocus />
      <TextInput
        {...text('email')}
        label={operators.email}
        description={operators.emailHint}
        type="email"
        onChange={({ currentTarget }) => set({ email: currentTarget.value || null })}
        autoComplete="off"
      />
      <Radio.Group
        {...role}
        label={operators.role}
        onChange={(chosen) => role.onChange(choiceIn(chosen, ROLES) ?? role.value)}
      >
        <Stack gap="sm" mt="xs">
          {ROLES.map((known) => (
            <Radio key={known} value={known} label={roles[known]} description={operators.roleWords[known]} />
          ))}
        </Stack>
      </Radio.Group>
      <StoresInput {...input('stores')} />
    </DialogForm>
  )
}

interface StoresProps {
  value: string[] | null
  onChange: (stores: string[] | null) => void
  error: string | undefined
}

function StoresInput({ value, onChange, error }: StoresProps) {
  const { operators } = useWords()
  const { data: known = [] } = useAllStores()
  const names = new Map(known.map(({ id, name }) => [id, name]))
  return (
    <Stack gap="xs">
      <Radio.Group
        label={operators.stores}
        value={value === null ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : [])}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="all" label={operators.everyStore} />
          <Radio value="some" label={operators.chosenStores} description={operators.chosenStoresHint} />
        </Stack>
      </Radio.Group>
      {value !== null && (
        <MultiSelect
          label={operators.chosenStores}
          data={[...new Set([...names.keys(), ...value])].map((id) => ({ value: id, label: names.get(id) ?? id }))}
          value={value}
          onChange={onChange}
          error={error}
          limit={MAX_SUGGESTIONS}
          searchable
          hidePickedOptions
        />
      )}
    </Stack>
  )
}
