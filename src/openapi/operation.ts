/** An operation as the document tells of it, and what several of them have in common. */
import * as z from 'zod'
import type { Scope } from '../context.ts'
import type { ErrorCode } from '../errors.ts'

export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  id: string
  tag: 'Users' | 'Product accesses' | 'Events' | 'Access tokens' | 'Operator' | 'Service'
  summary: string
  description?: string
  /** The scope of an access token, an access token whatever its scopes, the operator's token, or nothing. */
  auth: Scope | 'any token' | 'operator' | 'none'
  /** An example for the last parameter of the path that is no record of the demo store. */
  pathExample?: string
  query?: z.ZodObject
  header?: z.ZodObject
  body?: { schema: z.ZodType; example: object }
  success: { status: number; description: string; schema?: z.ZodType; headers?: string[] }
  /** A second status of success. */
  alternative?: { status: number; description: string }
  /** Beyond those of the token, the body and the service. */
  errors: ErrorCode[]
}

/** Of the operations that change an access. */
export const ifMatch = z.object({
  'If-Match': z.string().optional().meta({
    description:
      'One or several ETags, such as `"1-1"`, or `*`: the access is changed only while it is in one of these states, else the answer is 412.',
  }),
})

export const PAGE = 'A page; `next` is the `after` of the next one.'

export const FOLLOWING =
  'Events in the order in which they were committed. To follow them without a gap, keep the id of the last one and ask again with it as `after`: no event ever appears before one that you have. They are kept 90 days unless configured otherwise.'

export const STORE = '/admin/stores/{store_id}'

export function list(path: string, id: string, summary: string, query: z.ZodObject, page: z.ZodType): Operation {
  return {
    method: 'get',
    path,
    id,
    tag: 'Operator',
    summary,
    auth: 'operator',
    query,
    success: { status: 200, description: PAGE, schema: page },
    errors: path === '/admin/stores' ? ['invalid_parameter'] : ['invalid_parameter', 'not_found'],
  }
}

export function read(path: string, id: string, summary: string, schema: z.ZodType, headers: string[] = []): Operation {
  const success = { status: 200, description: 'The record.', schema, headers }
  return { method: 'get', path, id, tag: 'Operator', summary, auth: 'operator', success, errors: ['not_found'] }
}

/** The example is one that does no harm when somebody runs all examples. */
export function remove(
  operation: Pick<Operation, 'path' | 'id' | 'summary' | 'description' | 'pathExample'>,
): Operation {
  const success = { status: 204, description: 'Done.' }
  return { ...operation, method: 'delete', tag: 'Operator', auth: 'operator', success, errors: ['not_found'] }
}
