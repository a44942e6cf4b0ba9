import * as z from 'zod'
import { createOperatorBody, type toCaller, type toOperator } from '../admin/operators.ts'
import { ROLES } from '../domain/tokens/scopes.ts'
import { listQuery } from '../wire/fields.ts'
import { describes } from './describes.ts'
import { text, time } from './fields.ts'
import { answer, done, type Operation, operatorOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { queryOf, requestBody } from './requests.ts'

const fields = {
  id: text('The number of the operator.'),
  name: text('Who it is; shown in the events that the operator causes.'),
  role: z.enum(ROLES).meta({
    description: '`viewer`: may GET, and nothing else; `admin`: all but making and revoking operators.',
  }),
  created_at: time('When the operator was made.'),
  revoked_at: time('When the operator was revoked; null: it was not.').nullable(),
}

const operator = describes<ReturnType<typeof toOperator>>()(
  z.object(fields).meta({ id: 'Operator', description: 'An operator, without the token.' }),
)

const made = describes<ReturnType<typeof toOperator> & { token: string }>()(
  z
    .object({ ...fields, token: text('The token of the operator: in this answer and nowhere else.') })
    .meta({ id: 'OperatorWithToken', description: 'An operator with the token, this once.' }),
)

const caller = describes<ReturnType<typeof toCaller>>()(
  z
    .object({
      id: text('The number of the operator; null for the root.').nullable(),
      name: text('Who it is; `root` for the root.'),
      role: z.enum([...ROLES, 'root']).meta({ description: 'What the caller may do; `root`: everything.' }),
    })
    .meta({ id: 'CallingOperator', description: 'The operator whose token a request bears.' }),
)

const example = {
  id: '3',
  name: 'Grace Hopper',
  role: 'admin',
  created_at: '2026-11-21T09:30:00.000Z',
  revoked_at: null,
} as const

export const operators: Operation[] = [
  {
    method: 'post',
    path: '/admin/operators',
    id: 'createOperator',
    tag: 'Operators',
    summary: 'Make an operator',
    description: 'The root alone may. The token is in this answer and nowhere else: only a hash of it is kept.',
    caller: { role: 'root' },
    body: requestBody('CreateOperator', {
      schema: createOperatorBody,
      fields: {
        name: 'Who it is; shown in the events that the operator causes.',
        role: '`viewer`: may GET, and nothing else; `admin`: all but making and revoking operators.',
      },
      example: { name: 'Grace Hopper', role: 'admin' },
    }),
    answers: {
      201: answer('OperatorCreated', {
        description: 'The operator, with the token.',
        schema: made,
        example: { ...example, token: 'rgo_<number, 256 random bits and their HMAC>' },
      }),
    },
  },
  operatorOperation({
    method: 'get',
    path: '/admin/operators',
    id: 'listOperators',
    tag: 'Operators',
    summary: 'List the operators',
    description: 'By id, revoked ones too; the root is not among them.',
    query: queryOf('listOperators', listQuery, {}),
    answers: { 200: pageAnswer('OperatorPage', { description: 'A page of operators.', record: operator, example }) },
  }),
  {
    method: 'delete',
    path: '/admin/operators/{id}',
    id: 'revokeOperator',
    tag: 'Operators',
    summary: 'Revoke an operator',
    description:
      'The root alone may. The token is refused from the next request on; the second time, the answer is 404.',
    caller: { role: 'root' },
    answers: { 204: done },
  },
  operatorOperation({
    method: 'get',
    path: '/admin/operator',
    id: 'getCallingOperator',
    tag: 'Operators',
    summary: 'Who the token of this request belongs to',
    description: 'Checks a credential, and tells what it may do.',
    answers: {
      200: answer('CallingOperator', {
        description: 'The operator, or the root.',
        schema: caller,
        example: { id: '3', name: 'Grace Hopper', role: 'admin' },
      }),
    },
  }),
]
