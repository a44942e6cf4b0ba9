import type { toCaller, toOperator } from '../admin/operators.ts'
import { ROLES } from '../domain/tokens/scopes.ts'
import { choice, type Fields, nullable, resource, text, time } from './fields.ts'
import { describeOperations, pageResponse, response } from './operation.ts'

type Operator = ReturnType<typeof toOperator>

const ROLE = '`viewer`: may only GET. `admin`: may do everything but create and revoke operators.'

const fields: Fields<Operator> = {
  id: text('The number of the operator.', '3'),
  name: text('Who the operator is. Events that the operator causes show it.', 'Grace Hopper'),
  role: choice(ROLES, ROLE, 'admin'),
  created_at: time('When the operator was created.'),
  revoked_at: nullable(time('When the operator was revoked. Null if they were not.')),
}

const operator = resource<Operator>('Operator', 'An operator, without the token.', fields)

const created = resource<Operator & { token: string }>('OperatorWithToken', 'An operator with the token.', {
  ...fields,
  token: text(
    'The token of the operator. It is only in this response, because only its hash is stored.',
    'rgo_<number, 256 random bits and their HMAC>',
  ),
})

const caller = resource<ReturnType<typeof toCaller>>('CallingOperator', 'The operator whose token the request has.', {
  id: nullable(text('The number of the operator. Null for the root.', '3')),
  name: text('Who the operator is. `root` for the root.', 'Grace Hopper'),
  role: choice([...ROLES, 'root'], 'What the caller may do. `root`: everything.', 'admin'),
})

export const operators = describeOperations('Operators', {
  createOperator: {
    route: 'POST /admin/operators',
    summary: 'Create an operator',
    description: 'Only the root may do this. The token is only in this response, because only its hash is stored.',
    fields: { name: 'Who the operator is. Events that the operator causes show it.', role: ROLE },
    example: { name: 'Grace Hopper', role: 'admin' },
    responses: { 201: response('OperatorCreated', 'The operator, with the token.', created) },
  },
  listOperators: {
    route: 'GET /admin/operators',
    summary: 'List the operators',
    description: 'All operators by id, including revoked ones. The root is not in the list.',
    responses: { 200: pageResponse('OperatorPage', 'A page of operators.', operator) },
  },
  revokeOperator: {
    route: 'DELETE /admin/operators/{id}',
    summary: 'Revoke an operator',
    description:
      'Only the root may do this. The token is rejected from the next request. Revoking the operator again is 404.',
  },
  getCallingOperator: {
    route: 'GET /admin/operator',
    summary: 'Read the operator of this request',
    description: 'Checks a credential and returns what it may do.',
    responses: { 200: response('CallingOperator', 'The operator, or the root.', caller) },
  },
})
