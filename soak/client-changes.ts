/** What clients change: accesses of their own and one that all share, and the field in which all count. */
import { isObject } from '../src/json.ts'
import type { Client } from './client.ts'
import { type AccessState, newState } from './memory.ts'

export async function update({ memory, persist, accesses, wrong }: Client, accessId: string): Promise<void> {
  const { acknowledged, sharedAccess } = memory
  const id = Math.random() < 0.2 ? sharedAccess : accessId
  const before = acknowledged.get(id)?.at(-1)
  // Now and then what it is already, which changes nothing.
  const state = id === accessId && before && Math.random() < 0.1 ? before : newState()
  memory.accesses.get(id)?.push(state)
  const { status, text } = await persist({ method: 'PUT', path: `${accesses}/${id}`, body: JSON.stringify(state) })
  const answered: unknown = status === 201 ? JSON.parse(text) : undefined
  if (!isObject(answered) || !isState(answered, state)) wrong('update', id, status, text)
  if (memory.accesses.has(id)) memory.accesses.set(id, [state])
  acknowledged.get(id)?.push(state)
  memory.tally.updated++
}

/** One step further from what is there, under If-Match: whoever is outrun begins again. */
export async function countOn({ memory, persist, users, wrong }: Client): Promise<void> {
  const { counter } = memory
  const path = `${users}/${counter.user_id}`
  for (;;) {
    const { text, etag } = await persist({ method: 'GET', path })
    const count = Number(JSON.parse(text).custom_fields?.field1 ?? 0)
    const body = JSON.stringify({ custom_fields: { field1: count + 1 } })
    const { status, wasUnsure, ...answer } = await persist({
      method: 'PATCH',
      path,
      body,
      headers: { 'if-match': etag },
    })
    if (status === 200) {
      counter.acknowledged++
      return
    }
    if (status !== 412) return wrong('count', path, status, answer.text)
    // What outran this client may have been its own try.
    if (wasUnsure) counter.unsure++
    memory.tally.outrun++
  }
}

function isState(answered: Record<string, unknown>, { status, access_due_date }: AccessState): boolean {
  return answered['status'] === status && answered['access_due_date'] === access_due_date
}
