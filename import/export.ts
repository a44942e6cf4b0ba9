/** Reads the records of a store page by page and writes them in the columns that the import accepts. */
import { isObject, parseLossless } from '../src/json.ts'
import { type Client, Refused, textIn } from './client.ts'

export type Kind = 'users' | 'product_accesses'

/** The custom fields of users share one column, because a token of a store cannot read which fields are defined. */
export const COLUMNS = {
  users: [
    'id',
    'name',
    'last_name',
    'email',
    'created_at',
    'country',
    'phone',
    'external_id',
    'language',
    'avatar',
    'role',
    'updated_at',
    'custom_fields',
  ],
  product_accesses: [
    'id',
    'created_at',
    'started_at',
    'completed_at',
    'access_due_date',
    'expiration_days',
    'status',
    'grade',
    'concept_grade',
    'passed',
    'progress',
    'certificate_url',
    'product_id',
    'user_id',
  ],
} as const

export async function* listAll(client: Client, kind: Kind): AsyncGenerator<Record<string, unknown>> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const response = await client.call(
      'GET',
      `/${kind}?limit=100${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`,
    )
    if (response.status !== 200) throw new Refused(response)
    // JSON.parse would change digits of numbers.
    const page = parseLossless(response.text)
    if (!isObject(page) || !Array.isArray(page['data'])) throw new Refused(response)
    yield* page['data'].filter(isObject)
    after = textIn(page, 'next')
  }
}

/** Writes a record as cells. Values that are not strings, and strings that look like JSON, are written as JSON. */
export function cellsOf(record: Record<string, unknown>, kind: Kind): string[] {
  return COLUMNS[kind].map((column) => {
    const nested = kind === 'product_accesses' ? /^(product|user)_id$/.exec(column)?.[1] : undefined
    const value = nested === undefined ? record[column] : textIn(record[nested], 'id')
    if (value == null) return ''
    if (typeof value !== 'string') return JSON.stringify(value)
    return column === 'grade' && isJson(value) ? JSON.stringify(value) : value
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
