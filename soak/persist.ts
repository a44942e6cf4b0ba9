/** Requests as a good client makes them: repeated until there is an answer, with the same body and key. */
import { Agent, request as send } from 'undici'
import type { Memory, Target } from './memory.ts'

export interface Answer {
  status: number
  text: string
  etag: string
  /** Whether an earlier try had an outcome that nobody knows. */
  wasUnsure: boolean
}

export interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: string
  headers?: Record<string, string>
  /** The target's present one, if none. */
  token?: string
}

export type Persist = (sent: Sent) => Promise<Answer>

/** A secret that has just been replaced is refused for a moment, until the client has its successor. */
const MAX_REFUSED = 60
const agent = new Agent({ connections: 128, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 })

/** Until there is an answer below 500, and another than 401. */
export function persistent(target: Target, memory: Memory): Persist {
  return async ({ method, path, body, headers = {}, token }) => {
    let wasUnsure = false
    let refused = 0
    for (let attempt = 0; ; attempt++) {
      memory.tally.requests++
      try {
        const type = body === undefined ? {} : { 'content-type': 'application/json' }
        const answer = await send(target.origin + path, {
          method,
          headers: { authorization: `Bearer ${token ?? target.token}`, ...type, ...headers },
          ...(body === undefined ? {} : { body }),
          dispatcher: agent,
        })
        const text = await answer.body.text()
        const { statusCode: status } = answer
        if (status === 401 && refused++ < MAX_REFUSED) {
          await pause(Math.random() * 1000)
          continue
        }
        if (status < 500) {
          if (answer.headers['idempotent-replayed'] === 'true') memory.tally.replayed++
          return { status, text, etag: String(answer.headers['etag'] ?? ''), wasUnsure }
        }
        if (status !== 503) memory.wrong.push(`${method} ${path}: ${status} ${text}`)
        memory.tally.failed++
        wasUnsure = true
        await pause(Math.random() * 1000)
      } catch (error) {
        // A refused connection reached nobody; any other cut may have come after the commit.
        memory.tally.cut++
        wasUnsure ||= !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
        await pause(Math.random() * Math.min(50 * 2 ** attempt, 1000))
      }
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
