/** The requests of all clients with their responses: the input of all checks. */
import type { ApiRequest } from '../contract.ts'
import type { ApiResponse, ClientWorld, Send } from './client-world.ts'
import { parseJson, toRow } from '../rows.ts'

/** One request and its response. */
export interface Exchange {
  name: string
  request: ApiRequest
  start: number
  /** Infinity if it is unknown whether and when the request took effect: there was no response, or a 5xx. */
  end: number
  at: number
  status: number | undefined
  headers: ApiResponse['headers']
  text: string
  isReplay: boolean
  wasResent: boolean
  /** The response was a 4xx, so the request must have changed nothing. */
  isRejected: boolean
  /** The JSON of the response, `{}` if there is none. */
  json: Record<string, unknown>
}

const NO_HEADERS: ApiResponse['headers'] = { get: () => null }

export class History {
  readonly exchanges: Exchange[] = []
  readonly violations: string[] = []
  readonly #world: ClientWorld
  readonly #send: Send

  constructor(world: ClientWorld, send: Send) {
    this.#world = world
    this.#send = send
  }

  /** Sends one request; its name must be new, because delays and faults are drawn from it. */
  async send(name: string, request: ApiRequest): Promise<Exchange> {
    const world = this.#world
    const start = world.now
    const response = await this.#send(name, request)
    const wasResent = response?.wasResent === true
    // The first attempt may have created the record, and somebody may have erased it before the second attempt.
    const isGone = wasResent && response?.status === 404
    const isKnown = response !== undefined && response.status < 500 && !isGone
    const exchange: Exchange = {
      name,
      request,
      start,
      end: isKnown ? world.now : Infinity,
      at: world.now,
      status: response?.status,
      headers: response?.headers ?? NO_HEADERS,
      text: response?.text ?? '',
      isReplay: response?.headers.get('Idempotent-Replayed') === 'true',
      wasResent,
      isRejected: isKnown && response.status >= 400,
      json: parse(response),
    }
    this.exchanges.push(exchange)
    if (exchange.status === 500) this.violations.push(`500: ${describe(exchange)}`)
    return exchange
  }

  /** Sends the request until a response says whether it took effect, at most 6 times. */
  async sendUntilKnown(
    name: string,
    request: ApiRequest,
    note: (exchange: Exchange) => void = () => {},
  ): Promise<Exchange> {
    for (let attempt = 1; ; attempt++) {
      const exchange = await this.send(`${name}.${attempt}`, request)
      note(exchange)
      if (exchange.end !== Infinity || attempt === 6) return exchange
      await this.#world.sleep(this.#world.random.stream(`${name}.${attempt} pause`).between(50, 6000))
    }
  }
}

function parse(response: ApiResponse | undefined): Record<string, unknown> {
  if (!response || !/^\s*\{/.test(response.text)) return {}
  return toRow(parseJson(response.text))
}

/** One line of a run's story. */
export function describe({ name, request: { method, path, body, headers = {} }, status, json }: Exchange): string {
  const parts = [
    method,
    path,
    body && JSON.stringify(body).slice(0, 250),
    ...Object.entries(headers).map((pair) => pair.join(': ')),
  ]
  const code = typeof json['code'] === 'string' ? ` ${json['code']}` : ''
  const id = typeof json['id'] === 'string' || typeof json['id'] === 'number' ? ` id ${json['id']}` : ''
  return `${name} ${parts.filter(Boolean).join(' ')} → ${status ?? 'no answer'}${code}${id}`
}
