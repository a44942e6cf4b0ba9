/** `npm run check:types`: compiles the service with everything around it, the client, the console, and their tests, at the same time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const PROJECTS = ['.', 'client', 'client/test', 'console', 'console/test']

async function compile(project: string): Promise<boolean> {
  const [code] = await once(spawn('tsc', ['-p', project], { stdio: 'inherit' }), 'exit')
  return code === 0
}

const areValid = await Promise.all(PROJECTS.map(compile))
process.exit(areValid.every(Boolean) ? 0 : 1)
