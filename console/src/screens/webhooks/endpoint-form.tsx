import { Checkbox, Fieldset, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Change, useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { changed } from '../../forms/changed.ts'
import { isWebhookUrl } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { useStore } from '../../store.ts'
import { isType } from '../events/filter.ts'
import { type Words, useWords } from '../../words/index.tsx'

type EventType = Schemas['EventType']

interface Fields {
  url: string
  /** Null means all types. */
  types: EventType[] | null
}

interface CreateProps {
  isOpen: boolean
  onClose: () => void
  onIssued: (endpoint: Schemas['WebhookEndpointWithSecret']) => void
}

export function CreateEndpoint({ isOpen, onClose, onIssued }: CreateProps) {
  const { webhooks, common } = useWords()
  const store = useStore()
  const change = useChange({
    change: (body: Fields) =>
      bodyOf(api.POST('/admin/stores/{store_id}/webhook_endpoints', { params: { path: { store_id: store } }, body })),
    onDone: (endpoint) => {
      onClose()
      onIssued(endpoint)
    },
  })
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <Dialog title={webhooks.create} isOpen={isOpen} onClose={close} size="lg">
      <EndpointForm
        before={{ url: '', types: null }}
        action={common.create}
        change={change}
        onSubmit={change.run}
        onCancel={close}
      />
    </Dialog>
  )
}

interface EditProps {
  endpoint: Schemas['WebhookEndpoint']
  isOpen: boolean
  onClose: () => void
}

export function EditEndpoint({ endpoint, isOpen, onClose }: EditProps) {
  const { webhooks } = useWords()
  return (
    <Dialog title={webhooks.edit} isOpen={isOpen} onClose={onClose} size="lg">
      <EditForm endpoint={endpoint} onClose={onClose} />
    </Dialog>
  )
}

function EditForm({ endpoint, onClose }: Omit<EditProps, 'isOpen'>) {
  const { common } = useWords()
  const path = { store_id: useStore(), id: endpoint.id }
  const [before] = useState<Fields>(() => ({ url: endpoint.url, types: endpoint.types?.filter(isType) ?? null }))
  const change = useChange({
    change: (body: Partial<Fields>) =>
      bodyOf(api.PATCH('/admin/stores/{store_id}/webhook_endpoints/{id}', { params: { path }, body })),
    done: common.saved,
    onDone: onClose,
  })
  return (
    <EndpointForm
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

function EndpointForm({ before, action, change, onSubmit, onCancel }: FormProps) {
  const { webhooks } = useWords()
  const [url, setUrl] = useState(before.url)
  const [isAll, setIsAll] = useState(before.types === null)
  const [types, setTypes] = useState<EventType[]>(before.types ?? [])
  const errors = useFormErrors(change.failure, {
    url: [url, isWebhookUrl],
    types: [types.join(' '), (text) => isAll || text !== ''],
  })
  return (
    <DialogForm
      action={action}
      change={change}
      errors={errors}
      onSubmit={() => onSubmit({ url, types: isAll ? null : types })}
      onCancel={onCancel}
    >
      <TextInput
        label={webhooks.url}
        description={webhooks.urlHint}
        type="url"
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        error={errors.shown['url']}
        required
        data-autofocus
      />
      <Radio.Group
        label={webhooks.events}
        value={isAll ? 'all' : 'some'}
        onChange={(value) => setIsAll(value === 'all')}
        error={errors.shown['types']}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="all" label={webhooks.allEvents} description={webhooks.allEventsHint} />
          <Radio value="some" label={webhooks.chosenEvents} />
        </Stack>
      </Radio.Group>
      {!isAll && <TypePicker types={types} onChange={setTypes} />}
    </DialogForm>
  )
}

function TypePicker({ types, onChange }: { types: EventType[]; onChange: (types: EventType[]) => void }) {
  const words = useWords()
  return (
    <Checkbox.Group
      aria-label={words.webhooks.events}
      value={types}
      onChange={(chosen) => onChange(typesOf(words).filter((type) => chosen.includes(type)))}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {Object.entries(words.webhooks.groups).map(([group, name]) => (
          <Fieldset key={group} legend={name}>
            <Stack gap="xs">
              {typesOf(words)
                .filter((type) => type.startsWith(`${group}.`))
                .map((type) => (
                  <Checkbox key={type} value={type} label={words.eventTypes[type]} />
                ))}
            </Stack>
          </Fieldset>
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}

function typesOf({ eventTypes }: Words): EventType[] {
  return Object.keys(eventTypes).filter(isType)
}
