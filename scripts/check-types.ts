/** `npm run check:types`: compiles the service with everything around it, the console, and its tests, at the same time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { generateTypes } from './build-console.ts'

const PROJECTS = ['.', 'console', 'console/test']

async function compile(project: string): Promise<boolean> {
  const [code] = await once(spawn('tsc', ['-p', project], { stdio: 'inherit' }), 'exit')
  return code === 0
}

await generateTypes()
const areValid = await Promise.all(PROJECTS.map(compile))
process.exit(areValid.every(Boolean) ? 0 : 1)
