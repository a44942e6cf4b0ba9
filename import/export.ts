/** The records of a store, page by page, in the columns that the import reads. */
import { isObject, parseExactly } from '../src/json.ts'
import { type Client, Refused, textIn } from './client.ts'

export type Kind = 'users' | 'product_accesses'

/** Of users as v1 shows them. The custom fields share a column: a store's token cannot ask which there are. */
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
    const answer = await client.call(
      'GET',
      `/${kind}?limit=100${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`,
    )
    if (answer.status !== 200) throw new Refused(answer)
    // Numbers keep their digits.
    const page = parseExactly(answer.text)
    if (!isObject(page) || !Array.isArray(page['data'])) throw new Refused(answer)
    yield* page['data'].filter(isObject)
    after = textIn(page, 'next')
  }
}

/** A record as cells. What is no string is written as JSON, and so is a string that would be read as JSON. */
export function cellsOf(record: Record<string, unknown>, kind: Kind): string[] {
  return COLUMNS[kind].map((column) => {
    const nested = kind === 'product_accesses' ? /^(product|user)_id$/.exec(column)?.[1] : undefined
    const value = nested === undefined ? record[column] : textIn(record[nested], 'id')
    if (value == null) return ''
    if (typeof value !== 'string') return JSON.stringify(value)
    return column === 'grade' && readsAsJson(value) ? JSON.stringify(value) : value
  })
}

function readsAsJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
