/** What the clients asked and were told, and what may be concluded from it: the input of all checks. */
import type { Ask } from './contract.ts'
import { TextHeaders, TextRequest } from './fetch-api.ts'
import type { Answer, Service } from './instances.ts'
import type { Operation } from './linearize.ts'
import type { World } from './world.ts'

/** One request and what came of it. */
export interface Told {
  name: string
  ask: Ask
  call: number
  /** Infinity when nobody knows whether, or when, it takes effect: no answer came, or one that says so (5xx). */
  end: number
  at: number
  status: number | undefined
  headers: TextHeaders
  text: string
  isReplay: boolean
  /** The service lost an answer of D1 on the way: the change may be older than what is shown beside it. */
  wasResent: boolean
  /** Answered with a 4xx: nothing was done. */
  isRefused: boolean
  /** The answer's JSON, `{}` without one. */
  json: Record<string, unknown>
}

/** Whereupon the service sends the batch again, which may have been committed before. */
const RESENT = new Set(['D1: the answer is lost', 'D1: the connection is lost, and the batch arrives'])
const BASE = 'https://registrar.test'

export class History {
  readonly told: Told[] = []
  /** By what it is about: the operations whose order must be explained. */
  readonly operations = new Map<string, Operation<unknown>[]>()
  readonly violations: string[] = []
  /** Replays that are not what was answered first. */
  readonly otherReplays: { store: string; told: Told; first: string }[] = []
  readonly #world: World
  readonly #service: Service

  constructor(world: World, service: Service) {
    this.#world = world
    this.#service = service
  }

  /** Sends one request; its name must be new, because its delays and mishaps are drawn from it. */
  async ask(name: string, ask: Ask): Promise<Told> {
    const world = this.#world
    const call = world.now
    const from = world.mishaps.length
    const answer = await this.#service.request(name, toRequest(ask))
    const prefix = `${name}#`
    const own = world.mishaps.slice(from).filter(({ id }) => id.startsWith(prefix))
    const wasResent = own.some(({ what }) => RESENT.has(what))
    // Made, perhaps, and erased by somebody before the answer that was not lost.
    const isGone = wasResent && answer?.status === 404
    const isKnown = answer !== undefined && answer.status < 500 && !isGone
    const told: Told = {
      name,
      ask,
      call,
      end: isKnown ? world.now : Infinity,
      at: world.now,
      status: answer?.status,
      headers: answer?.headers ?? new TextHeaders(),
      text: answer?.text ?? '',
      isReplay: answer?.headers.get('Idempotent-Replayed') === 'true',
      wasResent,
      isRefused: isKnown && answer.status >= 400,
      json: parse(answer),
    }
    this.told.push(told)
    if (told.status === 500) this.violations.push(`500: ${describe(told)}`)
    return told
  }

  /** Sends it again, as a patient client does, until there is an answer that settles it, or 6 times in vain. */
  async persist(name: string, ask: Ask, learn: (told: Told) => void): Promise<Told> {
    for (let attempt = 1; ; attempt++) {
      const told = await this.ask(`${name}.${attempt}`, ask)
      learn(told)
      if (told.end !== Infinity || attempt === 6) return told
      await this.#world.sleep(this.#world.random.stream(`${name}.${attempt} pause`).between(50, 6000))
    }
  }

  /** Notes an operation for the checker. */
  record<State>(key: string, told: Told, apply: (state: State) => State[]): void
  record(key: string, told: Told, apply: (state: unknown) => unknown[]): void {
    const { call, end } = told
    const operations = this.operations.get(key) ?? []
    operations.push({
      call,
      end,
      apply,
      get label() {
        return describe(told)
      },
    })
    this.operations.set(key, operations)
  }
}

/**
 * Notes a change that was made at one moment, and what was shown of the record at a later one: so it is where an answer
 * of D1 was lost, and the batch was sent again.
 */
export function recordInTwo<State extends object>(
  history: History,
  key: string,
  told: Told,
  change: (state: State) => State[],
  show: (state: State) => State[],
): void {
  type Made = (State & { made?: string[] }) | null
  history.record<Made>(key, told, (state) => {
    if (state === null) return []
    const made = [...(state.made ?? []), told.name]
    return change(state).map((next) => Object.assign({}, next, { made }))
  })
  history.record<Made>(key, { ...told, name: `${told.name} as shown` }, (state) => {
    if (state === null || !state.made?.includes(told.name)) return []
    const made = state.made.filter((name) => name !== told.name)
    return show(state).map((next) => Object.assign({}, next, { made }))
  })
}

function toRequest({ method, path, token, body, headers = {} }: Ask): TextRequest {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new TextRequest(BASE + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(text !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(text)),
      }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  })
}

function parse(answer: Answer | undefined): Record<string, unknown> {
  if (!answer || !/^\s*\{/.test(answer.text)) return {}
  return JSON.parse(answer.text)
}

/** One line of a story. */
export function describe({ name, ask: { method, path, body, headers = {} }, status, json }: Told): string {
  const asked = [
    method,
    path,
    body && JSON.stringify(body).slice(0, 250),
    ...Object.entries(headers).map((pair) => pair.join(': ')),
  ]
  const code = typeof json['code'] === 'string' ? ` ${json['code']}` : ''
  const id = typeof json['id'] === 'string' || typeof json['id'] === 'number' ? ` id ${json['id']}` : ''
  return `${name} ${asked.filter(Boolean).join(' ')} → ${status ?? 'no answer'}${code}${id}`
}
