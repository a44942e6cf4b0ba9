import { Checkbox, Fieldset, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { isWebhookUrl } from '../../forms/checks.ts'
import { useRecordForm } from '../../forms/use-record-form.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { type Words, useWords } from '../../words/index.tsx'
import { isType } from '../events/filter.ts'

type EventType = Schemas['EventType']

interface Fields {
  url: string
  /** Null means all types. */
  types: EventType[] | null
}

interface Props {
  store: string
  endpoint: Schemas['WebhookEndpoint'] | undefined
  onClose: () => void
  onIssued?: (endpoint: Schemas['WebhookEndpointWithSecret']) => void
}

export function EndpointForm({ store, endpoint, onClose, onIssued }: Props) {
  const { common, webhooks } = useWords()
  const path = { store_id: store }
  const { text, input, form } = useRecordForm<Fields, Schemas['WebhookEndpointWithSecret'] | undefined>({
    before: { url: endpoint?.url ?? '', types: endpoint?.types?.filter(isType) ?? null },
    checks: ({ url, types }) => ({
      url: [url, isWebhookUrl],
      types: [types?.join(' ') ?? 'all', (chosen) => chosen !== ''],
    }),
    send: async (body, changes) => {
      if (endpoint === undefined)
        return bodyOf(api.POST('/admin/stores/{store_id}/webhook_endpoints', { params: { path }, body }))
      const { id } = endpoint
      const params = { path: { ...path, id } }
      await api.PATCH('/admin/stores/{store_id}/webhook_endpoints/{id}', { params, body: changes })
      return undefined
    },
    ...(endpoint && { done: common.saved }),
    onDone: (issued) => {
      onClose()
      if (issued) onIssued?.(issued)
    },
  })
  const types = input('types')
  // They come back if the operator chooses all events by mistake.
  const [chosen, setChosen] = useState(types.value ?? [])
  const choose = (next: EventType[]) => {
    setChosen(next)
    types.onChange(next)
  }
  return (
    <DialogForm {...form} action={endpoint === undefined ? common.create : common.save} onCancel={onClose}>
      <TextInput
        {...text('url')}
        label={webhooks.url}
        description={webhooks.urlHint}
        type="url"
        required
        data-autofocus
      />
      <Radio.Group
        label={webhooks.events}
        value={types.value === null ? 'all' : 'some'}
        onChange={(value) => types.onChange(value === 'all' ? null : chosen)}
        error={types.error}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="all" label={webhooks.allEvents} description={webhooks.allEventsHint} />
          <Radio value="some" label={webhooks.chosenEvents} />
        </Stack>
      </Radio.Group>
      {types.value !== null && <TypePicker types={types.value} onChange={choose} />}
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
