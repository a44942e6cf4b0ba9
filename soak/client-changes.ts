/** Clients update their own accesses and a shared one, and increment a shared counter. */
import { isObject } from '../src/json.ts'
import type { Client } from './client.ts'
import { type AccessState, newState } from './memory.ts'

export async function update({ memory, persist, accesses, report }: Client, accessId: string): Promise<void> {
  const { acknowledged, sharedAccess } = memory
  const id = Math.random() < 0.2 ? sharedAccess : accessId
  const before = acknowledged.get(id)?.at(-1)
  // Sometimes the current state is sent again, because an unchanged update must not write an event.
  const state = id === accessId && before && Math.random() < 0.1 ? before : newState()
  memory.accesses.get(id)?.push(state)
  const { status, text, etag, requestId } = await persist({
    method: 'PUT',
    path: `${accesses}/${id}`,
    body: JSON.stringify(state),
  })
  const record: unknown = status === 201 ? JSON.parse(text) : undefined
  if (!isObject(record)) report('update', id, status, text)
  else if (!isState(record, state)) {
    // Only on the access that all clients share can somebody else have changed it meanwhile.
    if (id !== sharedAccess) report('update', id, status, text)
    else memory.laterStates.push({ requestId, etag, sent: state, shown: stateIn(record) })
  }
  if (memory.accesses.has(id)) memory.accesses.set(id, [state])
  acknowledged.get(id)?.push(state)
  memory.tally.updated++
}

/** Increments the counter with If-Match and starts again after a 412, so that no concurrent increment may be lost. */
export async function incrementCounter({ memory, persist, users, report }: Client): Promise<void> {
  const { counter } = memory
  const path = `${users}/${counter.user_id}`
  for (;;) {
    const { text, etag } = await persist({ method: 'GET', path })
    const count = Number(JSON.parse(text).custom_fields?.field1 ?? 0)
    const body = JSON.stringify({ custom_fields: { field1: count + 1 } })
    const { status, wasUncertain, ...response } = await persist({
      method: 'PATCH',
      path,
      body,
      headers: { 'if-match': etag },
    })
    if (status === 200) {
      counter.acknowledged++
      return
    }
    if (status !== 412) return report('increment', path, status, response.text)
    // The 412 may come from this client's own earlier attempt, which was then applied.
    if (wasUncertain) counter.uncertain++
    memory.tally.conflicts++
  }
}

function isState(record: Record<string, unknown>, { status, access_due_date }: AccessState): boolean {
  return record['status'] === status && record['access_due_date'] === access_due_date
}

function stateIn({ status, access_due_date: date }: Record<string, unknown>): AccessState {
  return { status: String(status), access_due_date: typeof date === 'string' ? date : null }
}
