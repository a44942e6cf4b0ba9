import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { isObject, parseExactly } from '../json.ts'

/**
 * A field of the body whose numbers keep the digits that were sent: a double does not hold every integer. Where the
 * body nests too deep for a second reading, the field stays as it was parsed.
 */
export async function asWritten(c: Context<AppEnv>, field: string, parsed: unknown): Promise<unknown> {
  const values = isObject(parsed) ? Object.values(parsed) : [parsed]
  if (!values.some((value) => typeof value === 'number')) return parsed
  const body = await bodyAsWritten(c)
  return isObject(body) ? body[field] : parsed
}

/** The whole body with the digits of its numbers; undefined where it nests too deep. */
export async function bodyAsWritten(c: Context<AppEnv>): Promise<unknown> {
  try {
    return parseExactly(await c.req.text())
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The grade of a body as it is stored: JSON, its digits as they were sent. */
export async function gradeAsWritten(
  c: Context<AppEnv>,
  grade: string | number | boolean | null | undefined,
): Promise<string | null | undefined> {
  return grade == null ? grade : JSON.stringify(await asWritten(c, 'grade', grade))
}
