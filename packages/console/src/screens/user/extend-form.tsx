import { Text } from '@mantine/core'
import { useState } from 'react'
import { extend } from '../../../../../src/calendar.ts'
import { useChange, useIdempotencyKey } from '../../api/changes.ts'
import { api, bodyOf } from '../../api/client.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'
import { type SpanDraft, spanOf } from '../bulk-changes/span.ts'
import { SpanInput } from '../bulk-changes/span-input.tsx'
import { type AccessFormProps, ReloadButton } from './access-form.tsx'

/** Renews one access. The key lets the request be sent again after a lost response without extending twice. */
export function ExtendForm({ state: { body, etag }, onClose, onReload }: AccessFormProps) {
  const { user, dueDate } = useWords()
  const store = useStore()
  const zone = useZone()
  const { key } = useIdempotencyKey()
  const [now] = useState(() => Date.now())
  const [value, setValue] = useState<SpanDraft>({ span: '1', days: 30 })
  const by = spanOf(value)
  const change = useChange<void, unknown>({
    change: () =>
      bodyOf(
        api.POST('/admin/stores/{store_id}/product_accesses/{id}/extend', {
          params: {
            path: { store_id: store, id: body.id },
            header: { 'If-Match': etag, 'X-Idempotency-Key': `${key}-${JSON.stringify(by)}` },
          },
          body: by ?? {},
        }),
      ),
    done: user.accessChanged,
    onDone: onClose,
  })
  const due = body.access_due_date
  const end = by && due !== null ? extend(Math.max(Date.parse(due), now), by, zone) : undefined
  return (
    <DialogForm
      action={user.extendTitle}
      change={change}
      isDisabled={by === undefined}
      onSubmit={() => change.run()}
      onCancel={onClose}
    >
      <Text fw={600}>{body.product.name}</Text>
      <SpanInput value={value} onChange={setValue} isInvalid={by === undefined} />
      {end !== undefined && (
        <Text size="sm" role="status">
          <Moment at={due} empty={dueDate.noLimit} /> → <Moment at={new Date(end).toISOString()} />
        </Text>
      )}
      {change.failure?.status === 412 && <ReloadButton onReload={onReload} />}
    </DialogForm>
  )
}
