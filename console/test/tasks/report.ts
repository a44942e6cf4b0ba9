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

export function reportOf(users: number, search: SearchTimes[], done: Done[]): string {
  return `# Ten tasks in the console

An operator's day in a store with ${users.toLocaleString('en')} users and as many accesses, done in Chromium by \`npm run console:tasks\`, which writes this page and takes the pictures. The script clicks and types only what is visible, begins each task at the overview of the store, and checks through the API that the task was done.

- **Clicks** are all presses of the mouse, **fields** are texts that are typed, and **keys** are their characters.
- **Console** is the measured time of the task while the script acts without a pause. It depends on the machine: the service, its database and the browser share one with ${availableParallelism()} cores, whose load average at the end of this run was ${loadavg()[0]?.toFixed(1)}.
- **Person** adds what a practiced person takes for the same actions by the keystroke-level model (Card, Moran and Newell, 1980): 1.35 s to think, 1.1 s to point and 0.2 s to press for each click, and 0.28 s for each key.

${tableOf(done)}

## Finding a person

The time from the last key to the first matching row on the screen, for people from all parts of the store. Of this, the console waits 80 ms for the next key. A request examines 9,000 users, so somebody whose name nobody else has, and who is among the last, takes six.

${markdownTable(
  ['what is typed', 'median', 'worst', 'within 300 ms'],
  search.map(({ what, median, worst, inTime, all }) => [what, `${median} ms`, `${worst} ms`, `${inTime} of ${all}`]),
)}

${done.map(({ id, text }, i) => `## Task ${i + 1}\n\n${text}\n\n![The end of task ${i + 1}](images/tasks/${id}.png)`).join('\n\n')}
`
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
