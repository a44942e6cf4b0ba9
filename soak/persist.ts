/** Repeats a request with the same body and key until there is a response, as a good client does. */
import { Agent, request as send } from 'undici'
import type { Memory, Target } from './memory.ts'

export interface Response {
  status: number
  text: string
  etag: string
  requestId: string
  /** True if the outcome of an earlier attempt is unknown, so this response may not be the first effect. */
  wasUncertain: boolean
}

export interface RequestOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: string
  headers?: Record<string, string>
  /** By default, this is the current token of the target. */
  token?: string
}

export type Persist = (request: RequestOptions) => Promise<Response>

/** After a rotation, requests get 401 until the client has the new secret. More 401s than this are a problem. */
const MAX_UNAUTHORIZED = 60
const agent = new Agent({ connections: 128, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 })

/** Repeats until there is a response below 500 that is not a temporary 401. */
export function persistent(target: Target, memory: Memory): Persist {
  return async ({ method, path, body, headers = {}, token }) => {
    let wasUncertain = false
    let unauthorized = 0
    for (let attempt = 0; ; attempt++) {
      memory.tally.requests++
      try {
        const type = body === undefined ? {} : { 'content-type': 'application/json' }
        const response = await send(target.origin + path, {
          method,
          headers: { authorization: `Bearer ${token ?? target.token}`, ...type, ...headers },
          ...(body === undefined ? {} : { body }),
          dispatcher: agent,
        })
        const text = await response.body.text()
        const { statusCode: status } = response
        if (status === 401 && unauthorized++ < MAX_UNAUTHORIZED) {
          await pause(Math.random() * 1000)
          continue
        }
        if (status < 500) {
          if (response.headers['idempotent-replayed'] === 'true') memory.tally.replayed++
          const header = (name: string) => String(response.headers[name] ?? '')
          return { status, text, etag: header('etag'), requestId: header('x-request-id'), wasUncertain }
        }
        if (status !== 503) memory.problems.push(`${method} ${path}: ${status} ${text}`)
        memory.tally.failed++
        wasUncertain = true
        await pause(Math.random() * 1000)
      } catch (error) {
        // A refused connection never reached the service; any other one may have been lost after the commit.
        memory.tally.cut++
        wasUncertain ||= !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
        await pause(Math.random() * Math.min(50 * 2 ** attempt, 1000))
      }
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
