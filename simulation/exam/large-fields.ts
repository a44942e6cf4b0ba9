/** The custom fields of a user have a limit in bytes, however many requests they come in and whatever their characters are. */
import type { Client } from '../clients/client.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import type { Examiner, Expected } from './examiner.ts'
import { iso } from './model.ts'
import { createdUser, newPerson } from './people.ts'
import { perform } from './perform.ts'
import { expectCreate } from './users.ts'

/** Four bytes in UTF-8, one character for the limit of a value. Eight such values fit into 32,768 bytes, and nine do not. */
const VALUE = '😀'.repeat(1000)
const FITTING = 8

export async function fillCustomFields(exam: Examiner, _: Client, random: Random): Promise<void> {
  const keys = Array.from({ length: FITTING + 1 }, (__, i) => `large-${i}`)
  for (const key of keys) await define(exam, key)
  const { custom_fields: ___, ...body } = newPerson(exam, random)
  const { id } = await perform(exam, 'user with large fields', 'POST', {
    path: '/users',
    body,
    expected: expectCreate(exam, body, false),
    apply: (made) => void exam.model.users.set(made.id, createdUser(exam, body, made)),
  })
  const path = `/users/${String(id)}`
  for (const [i, key] of keys.entries()) {
    const fits: Expected = {
      status: 200,
      events: () => [{ type: 'user.updated', data: { user_id: id, fields: ['custom_fields'] } }],
    }
    const exceeds: Expected = { status: 422, code: 'invalid_parameter', fields: ['custom_fields'] }
    const expected = i < FITTING ? fits : exceeds
    await perform(exam, `large field ${i}`, 'PATCH', { path, body: { custom_fields: { [key]: VALUE } }, expected })
  }
  const apply = () => exam.model.eraseUser(String(id))
  const events = () => [{ type: 'user.erased', data: { user_id: id } }]
  await perform(exam, 'erasure', 'DELETE', { path, expected: { status: 204, events }, apply })
  for (const key of keys) await remove(exam, key)
}

async function define(exam: Examiner, key: string): Promise<void> {
  await exam.pass(1)
  const json: Row = { key, label: null, created_at: iso(exam.now) }
  const events = () => [{ type: 'custom_field.created', data: { custom_field_key: key } }]
  const expected = { status: 201, json: () => json, events }
  await perform(exam, 'large field', 'PUT', { path: `/custom_fields/${key}`, body: {}, expected })
}

async function remove(exam: Examiner, key: string): Promise<void> {
  const events = () => [{ type: 'custom_field.deleted', data: { custom_field_key: key } }]
  await perform(exam, 'removal', 'DELETE', { path: `/custom_fields/${key}`, expected: { status: 204, events } })
}
