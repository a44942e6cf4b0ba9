import { MultiSelect, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LENGTH } from '../../../../src/limits.ts'
import { type Change, useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useAllStores } from '../../api/stores.ts'
import { changed } from '../../forms/changed.ts'
import { emptyOr, filled, isAnything, isEmail } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { useWords } from '../../words/index.tsx'

const ROLES = ['viewer', 'office', 'admin'] as const
/** A longer list of suggestions would make the dialog slow. Typing narrows it down. */
const MAX_SUGGESTIONS = 50

interface Fields {
  name: string
  role: (typeof ROLES)[number]
  email: string | null
  /** Null means all stores. */
  stores: string[] | null
}

interface CreateProps {
  isOpen: boolean
  onClose: () => void
  onIssued: (operator: Schemas['OperatorWithToken']) => void
}

export function CreateOperator({ isOpen, onClose, onIssued }: CreateProps) {
  const { operators, common } = useWords()
  const change = useChange({
    change: (body: Fields) => bodyOf(api.POST('/admin/operators', { body })),
    onDone: (operator) => {
      onClose()
      onIssued(operator)
    },
  })
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <Dialog title={operators.create} isOpen={isOpen} onClose={close}>
      <OperatorForm
        before={{ name: '', role: 'viewer', email: null, stores: null }}
        action={common.add}
        change={change}
        onSubmit={change.run}
        onCancel={close}
      />
    </Dialog>
  )
}

interface EditProps {
  operator: Schemas['Operator']
  isOpen: boolean
  onClose: () => void
}

export function EditOperator({ operator, isOpen, onClose }: EditProps) {
  const { operators } = useWords()
  return (
    <Dialog title={operators.edit} isOpen={isOpen} onClose={onClose}>
      <EditForm operator={operator} onClose={onClose} />
    </Dialog>
  )
}

function EditForm({ operator, onClose }: Omit<EditProps, 'isOpen'>) {
  const { common } = useWords()
  const [before] = useState<Fields>(operator)
  const change = useChange({
    change: (body: Partial<Fields>) =>
      bodyOf(api.PATCH('/admin/operators/{id}', { params: { path: { id: operator.id } }, body })),
    done: common.saved,
    onDone: onClose,
  })
  return (
    <OperatorForm
      before={before}
      action={common.save}
      change={change}
      onSubmit={(fields) => change.run(changed(before, fields))}
      onCancel={onClose}
    />
  )
}

interface FormProps {
  before: Fields
  action: string
  change: Pick<Change<never>, 'isRunning' | 'failure'>
  onSubmit: (fields: Fields) => void
  onCancel: () => void
}

function OperatorForm({ before, action, change, onSubmit, onCancel }: FormProps) {
  const { operators, roles } = useWords()
  const [fields, setFields] = useState<Fields>(before)
  const { name, role, email, stores } = fields
  const errors = useFormErrors(change.failure, {
    name: [name, filled(LENGTH.name)],
    role: [role, isAnything],
    email: [email ?? '', emptyOr(isEmail)],
    stores: [stores?.join(' ') ?? 'all', (text) => text !== ''],
  })
  return (
    <DialogForm action={action} change={change} errors={errors} onSubmit={() => onSubmit(fields)} onCancel={onCancel}>
      <TextInput
        label={operators.name}
        description={operators.nameHint}
        value={name}
        onChange={({ currentTarget }) => setFields({ ...fields, name: currentTarget.value })}
        error={errors.shown['name']}
        required
        data-autofocus
      />
      <TextInput
        label={operators.email}
        description={operators.emailHint}
        type="email"
        value={email ?? ''}
        onChange={({ currentTarget }) => setFields({ ...fields, email: currentTarget.value || null })}
        error={errors.shown['email']}
        autoComplete="off"
      />
      <Radio.Group
        label={operators.role}
        value={role}
        onChange={(chosen) => setFields({ ...fields, role: ROLES.find((known) => known === chosen) ?? role })}
        error={errors.shown['role']}
      >
        <Stack gap="sm" mt="xs">
          {ROLES.map((known) => (
            <Radio key={known} value={known} label={roles[known]} description={operators.roleWords[known]} />
          ))}
        </Stack>
      </Radio.Group>
      <StoresInput
        stores={stores}
        onChange={(chosen) => setFields({ ...fields, stores: chosen })}
        error={errors.shown['stores']}
      />
    </DialogForm>
  )
}

interface StoresProps {
  stores: string[] | null
  onChange: (stores: string[] | null) => void
  error: string | undefined
}

function StoresInput({ stores, onChange, error }: StoresProps) {
  const { operators } = useWords()
  const { data: known = [] } = useAllStores()
  const names = new Map(known.map(({ id, name }) => [id, name]))
  return (
    <Stack gap="xs">
      <Radio.Group
        label={operators.stores}
        value={stores === null ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : [])}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="all" label={operators.everyStore} />
          <Radio value="some" label={operators.chosenStores} description={operators.chosenStoresHint} />
        </Stack>
      </Radio.Group>
      {stores !== null && (
        <MultiSelect
          label={operators.chosenStores}
          data={[...new Set([...names.keys(), ...stores])].map((id) => ({ value: id, label: names.get(id) ?? id }))}
          value={stores}
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
