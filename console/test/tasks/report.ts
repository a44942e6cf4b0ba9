/** Writes the results as a page of the documentation. */
import { availableParallelism, loadavg } from 'node:os'
import { markdownTable } from '../../../scripts/markdown.ts'
import type { SearchTimes } from './search.ts'

export interface Done {
  id: string
  text: string
  clicks: number
  fields: number
  keys: number
  /** The time of the whole task, in which the script acts without a pause. */
  consoleSeconds: number
  /** The same with the time in which a person thinks, points and types. */
  seconds: number
}

/** Measured on a socket of workerd, and through the proxy of `wrangler dev`. */
export interface Searches {
  direct: SearchTimes[]
  dev: SearchTimes[]
}

export function reportOf(users: number, search: Searches, done: Done[]): string {
  return `# Ten tasks in the console

An operator's day in a store with ${users.toLocaleString('en')} users and as many accesses, done in Chromium by \`npm run console:tasks\`, which writes this page and takes the pictures. The script clicks and types only what is visible, begins each task at the overview of the store, and checks through the API that the task was done.

- **Clicks** are all presses of the mouse, **fields** are texts that are typed, and **keys** are their characters.
- **Console** is the measured time of the task while the script acts without a pause. It depends on the machine: the service, its database and the browser share one with ${availableParallelism()} cores, whose load average at the end of this run was ${loadavg()[0]?.toFixed(1)}.
- **Person** adds what a practiced person takes for the same actions by the keystroke-level model (Card, Moran and Newell, 1980): 1.35 s to think, 1.1 s to point and 0.2 s to press for each click, and 0.28 s for each key.

${tableOf(done)}

## Finding a person

The time from the last key to the first matching row on the screen, for people from all parts of the store, with a key every 60 ms. The console waits 80 ms for the next key before it shows a list, and searches meanwhile. A request examines 10,000 users, and the search goes on with each key where it has got to. A pasted name has no keys before the last: if nobody else has it, the last of 50,000 users is found by the fifth or sixth request.

Each is measured twice: **directly**, on a socket of workerd, and through the proxy of \`wrangler dev\`, which \`npm run dev\` uses and which does not exist in production.

${markdownTable(
  ['what is typed', 'directly: median', 'worst', 'within 300 ms', 'wrangler dev: median', 'worst', 'within 300 ms'],
  search.direct.map((direct, i) => [direct.what, ...timesOf(direct), ...timesOf(search.dev[i])]),
)}

${done.map(({ id, text }, i) => `## Task ${i + 1}\n\n${text}\n\n![The end of task ${i + 1}](images/tasks/${id}.png)`).join('\n\n')}
`
}

function timesOf(times: SearchTimes | undefined): string[] {
  return times ? [`${times.median} ms`, `${times.worst} ms`, `${times.inTime} of ${times.all}`] : []
}

function tableOf(done: Done[]): string {
  return markdownTable(
    ['', 'task', 'clicks', 'fields', 'keys', 'console', 'person'],
    done.map(({ text, clicks, fields, keys, consoleSeconds, seconds }, i) => [
      `[${i + 1}](#task-${i + 1})`,
      text,
      ...[clicks, fields, keys].map(String),
      `${consoleSeconds.toFixed(1)} s`,
      `${Math.round(seconds)} s`,
    ]),
  )
}
