import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LENGTH } from '../../../src/limits.ts'
import { useAddress } from '../address.ts'
import { useChange } from '../api/changes.ts'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { usePages } from '../api/pages.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Dialog, DialogForm } from '../parts/dialog.tsx'
import { Empty } from '../parts/empty.tsx'
import { atMost, filled, isCustomFieldKey } from '../forms/checks.ts'
import { useFormErrors } from '../forms/form-errors.ts'
import { Moment } from '../parts/moment.tsx'
import { type Column, PageTable } from '../parts/page-table.tsx'
import { RowActions } from '../parts/row-actions.tsx'
import { Screen } from '../parts/screen.tsx'
import { useSession } from '../session.tsx'
import { useStore } from '../store.ts'
import { useWords } from '../words/index.tsx'

type Field = Schemas['CustomField']

export function CustomFields() {
  const words = useWords()
  const store = useStore()
  const canChange = useSession().can('stores:write')
  const [edited, setEdited] = useState<Field | 'new'>()
  const [deleted, setDeleted] = useState<Field>()
  const { place } = useAddress(() => ({}))
  const page = usePages(
    ['custom_fields', store],
    (after) =>
      bodyOf(
        api.GET('/admin/stores/{store_id}/custom_fields', {
          params: { path: { store_id: store }, query: { ...(after !== undefined && { after }) } },
        }),
      ),
    { place },
  )
  const define = canChange && <Button onClick={() => setEdited('new')}>{words.customFields.create}</Button>
  const close = () => setEdited(undefined)
  return (
    <Screen title={words.customFields.title} actions={define}>
      <PageTable
        label={words.customFields.title}
        page={page}
        columns={useColumns(canChange ? { edit: setEdited, remove: setDeleted } : undefined)}
        keyOf={({ key }) => key}
        empty={<Empty text={words.customFields.none}>{define}</Empty>}
      />
      <Dialog
        isOpen={edited !== undefined}
        onClose={close}
        title={edited === 'new' ? words.customFields.create : words.customFields.editLabel(edited?.key ?? '')}
      >
        {edited && <FieldForm store={store} field={edited === 'new' ? undefined : edited} onClose={close} />}
      </Dialog>
      <DeleteField store={store} field={deleted} onClose={() => setDeleted(undefined)} />
    </Screen>
  )
}

function useColumns(change: { edit: (row: Field) => void; remove: (row: Field) => void } | undefined) {
  const words = useWords()
  const columns: Column<Field>[] = [
    { head: words.customFields.key, cell: ({ key }) => key },
    { head: words.customFields.label, width: '32%', cell: ({ label }) => label ?? words.common.none },
    { head: words.common.created, width: '22%', cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
  if (change) {
    columns.push({
      head: words.common.actions,
      width: '6rem',
      cell: (row) => (
        <RowActions
          edit={{ label: words.customFields.editLabel(row.key), run: () => change.edit(row) }}
          remove={{ label: words.customFields.delete(row.key), run: () => change.remove(row) }}
        />
      ),
    })
  }
  return columns
}

interface FormProps {
  store: string
  /** Undefined while a new field is created. */
  field: Field | undefined
  onClose: () => void
}

function FieldForm({ store, field, onClose }: FormProps) {
  const words = useWords()
  const [key, setKey] = useState(field?.key ?? '')
  const [label, setLabel] = useState(field?.label ?? '')
  const save = useChange<void, { isNew: boolean }>({
    change: async () => {
      const { response } = await api.PUT('/admin/stores/{store_id}/custom_fields/{key}', {
        params: { path: { store_id: store, key } },
        body: label === '' ? {} : { label },
      })
      return { isNew: response.status === 201 }
    },
    done: ({ isNew }) =>
      isNew
        ? words.customFields.created(key)
        : field === undefined
          ? words.customFields.existed(key)
          : words.common.saved,
    onDone: onClose,
  })
  const errors = useFormErrors(save.failure, {
    key: [key, isCustomFieldKey],
    label: [label, field === undefined ? atMost(LENGTH.name) : filled(LENGTH.name)],
  })
  return (
    <DialogForm
      action={field === undefined ? words.customFields.create : words.common.save}
      change={save}
      errors={errors}
      onSubmit={save.run}
      onCancel={onClose}
    >
      {field === undefined && (
        <TextInput
          label={words.customFields.key}
          description={words.customFields.keyHint}
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
          error={errors.shown['key']}
          required
          data-autofocus
        />
      )}
      <TextInput
        label={words.customFields.label}
        description={words.customFields.labelHint}
        value={label}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        error={errors.shown['label']}
        {...(field !== undefined && { 'data-autofocus': true })}
      />
    </DialogForm>
  )
}

function DeleteField({ store, field, onClose }: FormProps) {
  const words = useWords()
  const change = useChange<void, unknown>({
    change: () =>
      api.DELETE('/admin/stores/{store_id}/custom_fields/{key}', {
        params: { path: { store_id: store, key: field?.key ?? '' } },
      }),
    done: words.customFields.deleted,
    onDone: onClose,
  })
  return (
    <Confirm
      title={words.customFields.delete(field?.key ?? '')}
      action={words.common.delete}
      isOpen={field !== undefined}
      onClose={onClose}
      change={change}
      isDangerous
    >
      <Text>{words.customFields.deleteHint}</Text>
    </Confirm>
  )
}
