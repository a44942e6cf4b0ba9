/**
 * `npm run check:types`: compiles the service with everything around it, the client, the console, and their tests, at the
 * same time. A file that several of them import has the same errors in each, which are printed once.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const PROJECTS = ['.', 'packages/client', 'packages/client/test', 'packages/console', 'packages/console/test']

async function compile(project: string): Promise<{ isValid: boolean; report: string }> {
  const compiler = spawn('tsc', ['-p', project, '--pretty', 'false'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [report, [code]] = await Promise.all([text(compiler.stdout), once(compiler, 'close')])
  return { isValid: code === 0, report }
}

const results = await Promise.all(PROJECTS.map(compile))
// An error begins with its place, and the lines that explain it are indented.
const errors = results.flatMap(({ report }) => report.trim().split(/\n(?!\s)/)).filter(Boolean)
const byPlace = new Map(errors.map((error) => [error.split(': ', 1)[0], error]))
byPlace.forEach((error) => console.log(error))
process.exit(results.every(({ isValid }) => isValid) ? 0 : 1)
