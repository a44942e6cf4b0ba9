import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { findUndefinedKeys } from '../domain/custom-fields.ts'
import type { Detail } from '../errors.ts'
import { echo } from '../http/validate.ts'
import { isObject } from '../json.ts'

/** Names each custom field of the body that is not defined in the caller's store; `builtIn` need not be. */
export function definedCustomFields(builtIn: readonly string[] = []) {
  return async (c: Context<AppEnv>, body: Record<string, unknown>): Promise<Detail[]> => {
    const fields = body['custom_fields']
    if (!isObject(fields)) return []
    const keys = Object.keys(fields).filter((key) => !builtIn.includes(key))
    return (await findUndefinedKeys(c.get('db'), c.get('principal'), keys)).map((key) => ({
      field: `custom_fields.${key}`,
      value: echo([key], fields[key]),
      explanation: 'is not a custom field of this store',
    }))
  }
}
