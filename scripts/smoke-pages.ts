/**
 * Reads the commands of a page, each with the responses that are shown below it. A `sh` block is a command, and the
 * `http` and `text` blocks after it are its responses. A `ts` or `python` block that begins with `// name.ts:` or
 * `# name.py:` is a program that the reader saves. What only a deployed service shows is left out.
 */
import assert from 'node:assert/strict'
import { withoutDeployed } from './docs-pages.ts'

export interface Shown {
  language: 'http' | 'text'
  text: string
  /** The index of the text in the page. */
  start: number
}

export interface Command {
  text: string
  line: number
  shown: Shown[]
  /** The page up to the next command, where its errors must be mentioned. */
  below: string
  /** True if the command, or one before it under the same heading, runs Python. */
  needsPython: boolean
}

const BLOCK = /^```(\w*)\n([^]*?)^```$/gm

/**
 * Commands that do not run here: the installation, the start, which the smoke run does itself, the suite, and those that need
 * an account.
 */
const NOT_RUN = /npm (?:ci|test|start|install|run dev)|npx wrangler|npm run (?:deploy|after-restore)|api\.example\.com/

export function commandsOf(source: string): Command[] {
  const page = withoutDeployed(source)
  const commands: Command[] = []
  let latest: Command | undefined
  for (const { 1: language = '', 2: text = '', 0: block, index } of page.matchAll(BLOCK)) {
    if (language === 'sh') {
      const needsPython = /\bpython3\b/.test(page.slice(page.lastIndexOf('\n## ', index), index + block.length))
      latest = { text, line: lineOf(page, index), shown: [], below: belowOf(page, index + block.length), needsPython }
      if (!NOT_RUN.test(text)) commands.push(latest)
    } else if (language === 'http' || language === 'text') {
      latest?.shown.push({ language, text, start: index + 4 + language.length })
    }
  }
  return commands
}

function belowOf(page: string, from: number): string {
  const next = page.indexOf('\n```sh\n', from)
  return page.slice(from, next === -1 ? undefined : next)
}

function lineOf(page: string, index: number): number {
  return page.slice(0, index).split('\n').length
}

export function programsOf(page: string): Map<string, string> {
  const programs = [...page.matchAll(BLOCK)].filter(([, language]) => language === 'ts' || language === 'python')
  return new Map(programs.map(([, , text = '']) => [/^(?:\/\/|#) (\w+\.(?:ts|py)):/.exec(text)?.[1] ?? '', text]))
}

/**
 * Throws if the output lacks a line that the page shows. The page may omit lines, such as headers, and `…` matches
 * anything. Times, tokens and similar values only need the same format, except dates that a command contains. So do ids,
 * except on the first page.
 */
export function compare(command: Command, output: string, options: { days: Set<string>; hasNumbers: boolean }): void {
  const lines = sameKind(output, options).split('\n')
  for (const line of sameKind(command.shown.map(({ text }) => text).join(''), options).split('\n')) {
    const found = lines.findIndex((printed) => isLike(line, printed))
    if (line.trim() === '') continue
    assert.ok(found >= 0, `this is not in the response:\n${line}`)
    lines.splice(0, found + 1)
  }
}

/** The error codes in the output that the page does not mention below the command. */
export function unexpectedErrors({ below }: Command, output: string): string[] {
  const codes = [...output.matchAll(/"code":"(\w+)"/g)].map(([, code = '']) => code)
  return codes.filter((code) => !below.includes(code))
}

function isLike(shown: string, printed: string): boolean {
  const parts = shown.trimEnd().split('…')
  if (parts.length === 1) return shown.trimEnd() === printed.trimEnd()
  const pattern = parts.map((part) => part.replaceAll(/[^\w\s]/g, '\\$&')).join('.*')
  return new RegExp(`^${pattern}$`).test(printed.trimEnd())
}

const KINDS: [RegExp, string][] = [
  // The request id, or a number of Cloudflare's edge.
  [/("log_id":")[0-9a-f-]+/g, '$1<id>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b(rg[so]_|whsec_)[\w+/=-]{20,}/g, '$1…'],
  [/\b(in )?\d+( s\b| ms\b| bytes| rows per second)/g, '$1<n>$2'],
  [/("(?:bytes|duration_ms)":)\d+/g, '$1<n>'],
  // That of the reader's machine.
  [/(without a time zone are in )\S+/g, '$1<zone>'],
  // The statistics of the last days.
  [/("day":")\d{4}-\d\d-\d\d/g, '$1<day>'],
]

const NUMBERS: [RegExp, string][] = [
  [/("(?:\w+_id|id|next|cursor)":"?)\d+/g, '$1<n>'],
  [/"\d+-\d+"/g, '"<n>-<n>"'],
  [/^(x-existing-id: )\d+/gm, '$1<n>'],
  [/^\d+(?= \w+\.)/gm, '<n>'],
]

const TIME = /\b(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d\.\d{3}Z/g

function sameKind(text: string, { days, hasNumbers }: { days: Set<string>; hasNumbers: boolean }): string {
  const kinds = hasNumbers ? KINDS : [...KINDS, ...NUMBERS]
  // The edge writes the names of headers in lower case, as HTTP/2 does.
  const named = text.replaceAll(/^[\w-]+: /gm, (name) => name.toLowerCase())
  const timeless = named.replaceAll(TIME, (time, day: string) => (days.has(day) ? time : '<time>'))
  return kinds.reduce((rest, [pattern, kind]) => rest.replaceAll(pattern, kind), timeless)
}

/** Returns the page with the real response. Only headers that the page already shows are included. */
export function updated(page: string, { language, text, start }: Shown, output: string): string {
  const nameOf = (line: string) => /^([\w-]+): /.exec(line)?.[1]
  const names = new Set(text.split('\n').map(nameOf))
  const lines = output.split('\n').map((line) => line.trimEnd())
  const response = lines.filter((line) => language === 'text' || names.has(nameOf(line))).join('\n')
  // A secret on the page would trigger secret scanners.
  const harmless = response.replaceAll(/\b(rg[so]_|whsec_)[\w+/=-]{20,}/g, '$1…')
  const timeless = harmless.replaceAll(new RegExp(`${new Date().toISOString().slice(0, 10)}T[\\d:.]+Z`, 'g'), (time) =>
    time.endsWith('T00:00:00.000Z') ? '2026-11-21T00:00:00.000Z' : '2026-11-21T09:30:00.000Z',
  )
  return `${page.slice(0, start)}${timeless.trim().replaceAll(/\n{3,}/g, '\n\n')}\n${page.slice(start + text.length)}`
}
