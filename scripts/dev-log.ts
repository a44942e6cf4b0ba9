/** Shortens what the running service prints: a line per request, errors with their stack, and none of wrangler's notes. */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Lines that wrangler prints on every start, reload and request. */
const NOISE =
  /^(?:\[wrangler:(?:info|warn)\]|\[custom build\]|⎔|Your Worker has access|Binding +Resource|env\.|Error: getaddrinfo|    at GetAddrInfo|$)/
/** The first line of a note. The lines after it are indented. */
const NOISY_HEAD = /^▲ \[WARNING\] Scheduled Workers/

/** Turns a line of wrangler's output into lines for the developer. Each stream needs its own: notes span several lines. */
export function reader(): (line: string) => string[] {
  let isInNote = false
  return (raw) => {
    const line = stripVTControlCharacters(raw)
    isInNote = NOISY_HEAD.test(line) || (isInNote && /^(?: |$)/.test(line))
    if (isInNote || NOISE.test(line)) return []
    const logged = line.startsWith('{') ? parse(line) : undefined
    if (logged === undefined) return [line]
    return isIdle(logged) ? [] : describe(logged)
  }
}

/** True for a run of a job that had nothing to do. An idle service would otherwise print a line each minute. */
function isIdle({ kind, job, ...rest }: Logged): boolean {
  const done = Object.entries(rest).filter(([name]) => name !== 'store' && !name.startsWith('d1_'))
  return kind === 'job' && job !== 'bulk_change' && done.every(([, value]) => value === 0)
}

type Logged = Readonly<Record<string, unknown>>

function describe({ error, ...logged }: Logged): string[] {
  const { status, method, route = '(no route)', duration_ms, d1_round_trips, code, request_id, ...rest } = logged
  const line =
    method === undefined
      ? fields(logged)
      : `${text(status)} ${text(method)} ${text(route)} ${text(duration_ms)} ms d1=${text(d1_round_trips)}${
          code === undefined ? '' : ` ${text(code)}`
        }${rest['replayed'] === true ? ' replayed' : ''}${error === undefined ? '' : ` ${text(request_id)}`}`
  return error === undefined ? [line] : [line, ...stack(error)]
}

/** Formats an error as the Worker logs it: name, stack, and the message if it contains no data. */
function stack(error: unknown): string[] {
  if (!isRecord(error)) return [`    ${text(error)}`]
  const { name, message, at, ...rest } = error
  const head = [name, message].filter((part) => part !== undefined).map(text)
  const frames = Array.isArray(at) ? at : text(at ?? '').split('\n')
  return [
    `    ${head.join(': ')}${Object.keys(rest).length === 0 ? '' : ` ${fields(rest)}`}`,
    ...frames.map((frame) => `      ${atSource(text(frame).trim())}`).filter((frame) => frame.trim() !== ''),
  ]
}

/** Replaces a frame in the minified bundle with the frame in the source. */
function atSource(frame: string): string {
  const [, bundle = '', line, column] = /\(?file:\/\/(.+\.js):(\d+):(\d+)\)?$/.exec(frame) ?? []
  const file = `${bundle}.map`
  if (!existsSync(file)) return frame
  const map = new SourceMap(JSON.parse(readFileSync(file, 'utf8')))
  const origin = map.findOrigin(Number(line), Number(column))
  if (!('fileName' in origin)) return frame
  const path = relative('.', resolve(map.payload.sourceRoot, origin.fileName))
  return `at ${path}:${origin.lineNumber}:${origin.columnNumber}`
}

function fields(logged: Logged): string {
  return Object.entries(logged)
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(' ')
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function parse(line: string): Logged | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    // A line that only looks like JSON is shown as it is.
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
