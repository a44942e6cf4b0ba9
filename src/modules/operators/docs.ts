import type { toCaller, toOperator } from './admin-routes.ts'
import { ROLES } from '../../auth/scopes.ts'
import { choice, type Field, type Fields, list, nullable, resource, text, time } from '../../openapi/fields.ts'
import { describeOperations, pageResponse, response } from '../../openapi/operation.ts'

type Operator = ReturnType<typeof toOperator>

const ROLE =
  '`viewer`: may only GET. `office`: may also create and change users and accesses, one by one, in batches and by bulk changes. `admin`: may do everything but create, change and revoke operators.'

const NAME = 'Who the operator is. Events that the operator causes show it.'
const EMAIL = 'With which the operator signs on through Cloudflare Access.'
const STORES = 'The ids of the stores to which the operator is limited: every other store is 404.'

const email = nullable(text(`${EMAIL} Null if the operator only uses the token.`, 'grace@example.com'))
const stores: Field<string[] | null> = nullable(
  list(text('The id of a store.', 'academy'), `${STORES} Null for all stores.`),
)

const fields: Fields<Operator> = {
  id: text('The number of the operator.', '3'),
  name: text(NAME, 'Grace Hopper'),
  role: choice(ROLES, ROLE, 'admin'),
  email,
  stores,
  created_at: time('When the operator was created.'),
  revoked_at: nullable(time('When the operator was revoked. Null if they were not.')),
  last_used_at: nullable(time('The day (in UTC) on which the operator last sent a request. Null if they never did.')),
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
  email,
  stores,
})

export const operators = describeOperations('Operators', {
  createOperator: {
    route: 'POST /admin/operators',
    summary: 'Create an operator',
    description: 'Only the root may do this. The token is only in this response, because only its hash is stored.',
    fields: {
      name: NAME,
      role: ROLE,
      email: `${EMAIL} No other operator may have it, unless that one is revoked. Letter case does not matter.`,
      stores: `${STORES} If omitted, all stores.`,
    },
    example: { name: 'Grace Hopper', role: 'admin', email: 'grace@example.com', stores: ['academy'] },
    responses: { 201: response('OperatorCreated', 'The operator, with the token.', created) },
  },
  updateOperator: {
    route: 'PATCH /admin/operators/{id}',
    summary: 'Change an operator',
    description:
      'Only the root may do this. It takes effect with the next request of the operator. A revoked operator is 404.',
    fields: {
      name: NAME,
      role: ROLE,
      email: EMAIL,
      stores: `${STORES} Null for all stores.`,
    },
    example: { role: 'viewer', stores: ['academy', 'evening-school'] },
    responses: { 200: response('OperatorUpdated', 'The operator after the change.', operator) },
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
