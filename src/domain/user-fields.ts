import { type SQL, sql } from 'drizzle-orm'

/** The fields of a user that are set as they are sent. */
export const PLAIN_FIELDS = [
  'name',
  'last_name',
  'email',
  'phone',
  'country',
  'language',
  'external_id',
  'avatar',
] as const

export type PlainField = (typeof PLAIN_FIELDS)[number]

/** A field, by the name that the event tells, and whether it changes. */
export type ComparedField = [name: string, isChange: SQL]

/** A JSON list of the names of those that change. VALUES, not UNION: D1 allows five terms of a compound SELECT. */
export function changedNames(compared: ComparedField[]): SQL {
  const rows = compared.map(([name, isChange]) => sql`(${name}, ${isChange})`)
  return sql`(with compared(field, is_change) as (values ${sql.join(rows, sql`, `)})
    select json_group_array(field) from compared where is_change)`
}
