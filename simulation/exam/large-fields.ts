/** The custom fields of a user have a limit in bytes, however many requests they come in and whatever their characters are. */
import type { Client } from '../clients/client.ts'
import type { Random } from '../world/random.ts'
import type { Examiner } from './examiner.ts'
import { newPerson } from './people.ts'
import { perform } from './perform.ts'

/** Four bytes in UTF-8, one character for the limit of a value. Eight such values fit into 32,768 bytes, and nine do not. */
const VALUE = '😀'.repeat(1000)
const FIELDS = 9

export async function fillCustomFields(exam: Examiner, _: Client, random: Random): Promise<void> {
  const keys = Array.from({ length: FIELDS }, (__, i) => `large-${i}`)
  for (const key of keys) await perform(exam, 'large field', 'PUT', { path: `/custom_fields/${key}`, body: {} })
  const { custom_fields: ___, ...body } = newPerson(exam, random)
  const { id } = await perform(exam, 'user with large fields', 'POST', { path: '/users', body })
  const path = `/users/${String(id)}`
  for (const key of keys) {
    await exam.pass(1)
    await perform(exam, 'large value', 'PATCH', { path, body: { custom_fields: { [key]: VALUE } } })
  }
  await perform(exam, 'erasure', 'DELETE', { path })
  for (const key of keys) await perform(exam, 'removal', 'DELETE', { path: `/custom_fields/${key}` })
}
