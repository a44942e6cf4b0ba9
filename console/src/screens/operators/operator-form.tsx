import { Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { fieldErrors } from '../../parts/failure-note.tsx'
import { useWords } from '../../words/index.tsx'

type NewOperator = Schemas['CreateOperator']

const ROLES = ['viewer', 'admin'] as const
const FIELDS = ['name', 'role']

interface Props {
  isOpen: boolean
  onClose: () => void
  onIssued: (operator: Schemas['OperatorWithToken']) => void
}

export function CreateOperator({ isOpen, onClose, onIssued }: Props) {
  const { operators } = useWords()
  return (
    <Dialog title={operators.create} isOpen={isOpen} onClose={onClose}>
      <OperatorForm onClose={onClose} onIssued={onIssued} />
    </Dialog>
  )
}

function OperatorForm({ onClose, onIssued }: Omit<Props, 'isOpen'>) {
  const { operators, roles, common } = useWords()
  const [fields, setFields] = useState<NewOperator>({ name: '', role: 'viewer' })
  const change = useChange({
    change: (body: NewOperator) => bodyOf(api.POST('/admin/operators', { body })),
    onDone: (operator) => {
      onClose()
      onIssued(operator)
    },
  })
  const errors = fieldErrors(change.failure)
  return (
    <DialogForm
      action={common.add}
      change={change}
      known={FIELDS}
      onSubmit={() => change.run(fields)}
      onCancel={onClose}
    >
      <TextInput
        label={operators.name}
        description={operators.nameHint}
        value={fields.name}
        onChange={({ currentTarget }) => setFields({ ...fields, name: currentTarget.value })}
        error={errors['name']}
        required
        data-autofocus
      />
      <Radio.Group
        label={operators.role}
        value={fields.role}
        onChange={(chosen) => setFields({ ...fields, role: ROLES.find((role) => role === chosen) ?? fields.role })}
        error={errors['role']}
      >
        <Stack gap="sm" mt="xs">
          {ROLES.map((role) => (
            <Radio key={role} value={role} label={roles[role]} description={operators.roleWords[role]} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  )
}
