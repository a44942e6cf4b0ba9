import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { isObject, parseLossless } from '../json.ts'

/**
 * A field of the body whose numbers keep the digits that were sent, because a double cannot represent every integer. If
 * the body is nested too deeply to be parsed again, the field is returned as it was parsed.
 */
export async function losslessField(c: Context<AppEnv>, field: string, parsed: unknown): Promise<unknown> {
  const values = isObject(parsed) ? Object.values(parsed) : [parsed]
  if (!values.some((value) => typeof value === 'number')) return parsed
  const body = await losslessBody(c)
  return isObject(body) ? body[field] : parsed
}

/** The whole body with the digits of its numbers; undefined if it is nested too deeply. */
export async function losslessBody(c: Context<AppEnv>): Promise<unknown> {
  try {
    return parseLossless(await c.req.text())
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The grade in a body as it is stored: JSON with the digits that were sent. */
export async function losslessGrade(
  c: Context<AppEnv>,
  grade: string | number | boolean | null | undefined,
): Promise<string | null | undefined> {
  return grade == null ? grade : JSON.stringify(await losslessField(c, 'grade', grade))
}
