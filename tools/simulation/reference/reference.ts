/**
 * The contract as a program: what a store that has one client at a time must answer to a request, and what it contains
 * then. It is written from the contract, and knows nothing of the service but its limits. Read it by subject: users.ts,
 * accesses.ts, batches.ts, and so on; this file has the order in which a request is checked.
 */
import type { ApiRequest } from '../contract.ts'
import { operationOf } from '../operations.ts'
import { parseJson, type Row, toRow } from '../rows.ts'
import { ACCESS_BATCH } from './access-batch.ts'
import { ACCESS_OPERATIONS } from './accesses.ts'
import { BULK_OPERATIONS } from './bulk-changes.ts'
import { authenticate, authorize, missingToken, maySee } from './callers.ts'
import { findClaim, remember } from './claims.ts'
import { EVENT_OPERATIONS } from './events.ts'
import { EXTENSIONS } from './extend.ts'
import { FILE_OPERATIONS } from './files.ts'
import { checkHeaders, checkInput, checkMediaType } from './input.ts'
import { LIST_OPERATIONS, readFromList } from './lists.ts'
import { type Call, type Caller, type Drawn, notFound, type Operation, type Outcome } from './operation.ts'
import { operatorOf, OPERATOR_OPERATIONS } from './operators.ts'
import { SETUP_OPERATIONS } from './setup.ts'
import { State } from './state.ts'
import { STATISTICS_OPERATIONS } from './statistics.ts'
import { STORE_OPERATIONS } from './stores.ts'
import { TOKEN_OPERATIONS } from './tokens.ts'
import { USER_BATCH } from './user-batch.ts'
import { USER_OPERATIONS } from './users.ts'
import { WEBHOOK_OPERATIONS } from './webhooks.ts'

/** By method and path. What v1 and /admin have in common is named without their beginning. */
const OPERATIONS: Record<string, Operation> = {
  ...USER_OPERATIONS,
  ...ACCESS_OPERATIONS,
  ...EXTENSIONS,
  ...USER_BATCH,
  ...ACCESS_BATCH,
  ...BULK_OPERATIONS,
  ...LIST_OPERATIONS,
  ...SETUP_OPERATIONS,
  ...TOKEN_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...FILE_OPERATIONS,
  ...STATISTICS_OPERATIONS,
  ...STORE_OPERATIONS,
  ...OPERATOR_OPERATIONS,
}

const PREFIX = /(?<= )\/(v1|admin)(\/stores\/\{store_id\})?(?=\/|$)/

/** The operation that serves a request. */
export function findOperation(request: Pick<ApiRequest, 'method' | 'path'>): Operation {
  const name = operationOf(request) ?? ''
  const common = name.replace(PREFIX, '')
  const operation = OPERATIONS[name] ?? OPERATIONS[common] ?? readFromList(common)
  if (!operation) throw new Error(`the reference does not know ${request.method} ${request.path}`)
  return operation
}

export class Reference {
  readonly state: State
  readonly #operators: readonly Caller[]

  constructor(slug: string, operators: readonly Caller[], state = new State(slug)) {
    this.state = state
    this.#operators = operators
  }

  /** The same store, so that a request can be tried and forgotten. */
  copy(): Reference {
    return new Reference(this.state.slug, this.#operators, this.state.copy())
  }

  /**
   * Returns what the response must be, and notes what the request has changed. Undefined if the request is about another
   * store.
   */
  handle(request: ApiRequest, now: number, drawn: Drawn): Outcome | undefined {
    const { state } = this
    const store = /\/stores\/([^/?]+)/.exec(request.path)?.[1]
    if (store !== undefined && store !== state.slug) return undefined
    const operation = findOperation(request)
    const early = missingToken(request) ?? checkMediaType(request)
    if (early) return early
    const operators = [...state.operators.keys()].flatMap((id) => operatorOf(state, id) ?? [])
    const caller = authenticate(state, [...this.#operators, ...operators], request, now)
    if ('status' in caller) return caller
    const call = toCall(request, caller, now, drawn)
    const rejected = authorize(state, operation, call) ?? checkHeaders(call)
    if (rejected) return rejected
    const wrong = checkInput(operation, call) ?? (maySee(state, call) ? undefined : notFound)
    if (wrong) return wrong
    const outcome = findClaim(state, operation, call) ?? operation.perform(state, call)
    remember(state, operation, call, outcome)
    for (const event of outcome.events ?? []) {
      const events = event.type.startsWith('operator.') ? state.operatorEvents : state.events
      events.push({ ...event, at: now, requestId: drawn.requestId, actor: caller.actor })
    }
    return outcome
  }
}

function toCall(request: ApiRequest, caller: Caller, now: number, drawn: Drawn): Call {
  const [path = '', query = ''] = request.path.split('?')
  const names = (operationOf(request)?.split(' ')[1] ?? '').split('/')
  const parts = path.split('/')
  const id = parts.find((_, i) => /^\{(id|key)\}$/.test(names[i] ?? '')) ?? ''
  const version = path.startsWith('/v3') ? 'v3' : path.startsWith('/v1') ? 'v1' : 'admin'
  const parameters = new URLSearchParams(query)
  // JSON omits a field that is undefined.
  const body: Row = request.body === undefined ? {} : toRow(parseJson(JSON.stringify(request.body)))
  return { request, caller, version, now, drawn, id, body, query: Object.fromEntries(parameters) }
}
