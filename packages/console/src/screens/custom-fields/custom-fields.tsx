import { TextInput } from '@mantine/core'
import { LENGTH } from '../../../../../src/limits.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { atMost, filled, isCustomFieldKey } from '../../forms/checks.ts'
import { useRecordForm } from '../../forms/use-record-form.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ResourceScreen } from '../../parts/resource-screen.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'

type Field = Schemas['CustomField']

export function CustomFields() {
  const { common, customFields } = useWords()
  const store_id = useStore()
  return (
    <ResourceScreen<Field>
      title={customFields.title}
      none={customFields.none}
      name={['custom_fields', store_id]}
      list={(query) =>
        bodyOf(api.GET('/admin/stores/{store_id}/custom_fields', { params: { path: { store_id }, query } }))
      }
      columns={[
        { head: customFields.key, cell: ({ key }) => key },
        { head: customFields.label, width: '32%', cell: ({ label }) => label ?? common.none },
        { head: common.created, width: '22%', cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
      keyOf={({ key }) => key}
      mayChange={useSession().can('stores:write')}
      create={{ label: customFields.create }}
      edit={{ label: ({ key }) => customFields.editLabel(key) }}
      form={(field, close) => <FieldForm store={store_id} field={field} onClose={close} />}
      remove={{
        label: ({ key }) => customFields.delete(key),
        warning: () => customFields.deleteHint,
        send: ({ key }) =>
          api.DELETE('/admin/stores/{store_id}/custom_fields/{key}', { params: { path: { store_id, key } } }),
        done: customFields.deleted,
      }}
    />
  )
}

interface FormProps {
  store: string
  field: Field | undefined
  onClose: () => void
}

function FieldForm({ store, field, onClose }: FormProps) {
  const { common, customFields } = useWords()
  const isNew = field === undefined
  const { text, form } = useRecordForm({
    before: { key: field?.key ?? '', label: field?.label ?? '' },
    checks: ({ key, label }) => ({
      key: [key, isCustomFieldKey],
      label: [label, isNew ? atMost(LENGTH.name) : filled(LENGTH.name)],
    }),
    send: async ({ key, label }) => {
      const { response } = await api.PUT('/admin/stores/{store_id}/custom_fields/{key}', {
        params: { path: { store_id: store, key } },
        body: label === '' ? {} : { label },
      })
      return { key, isCreated: response.status === 201 }
    },
    done: ({ key, isCreated }) => {
      if (isCreated) return customFields.created(key)
      return isNew ? customFields.existed(key) : common.saved
    },
    onDone: onClose,
  })
  return (
    <DialogForm {...form} action={isNew ? common.create : common.save} onCancel={onClose}>
      {isNew && (
        <TextInput
          {...text('key')}
          label={customFields.key}
          description={customFields.keyHint}
          required
          data-autofocus
        />
      )}
      <TextInput
        {...text('label')}
        label={customFields.label}
        description={customFields.labelHint}
        {...(!isNew && { 'data-autofocus': true })}
      />
    </DialogForm>
  )
}
