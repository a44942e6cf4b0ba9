// Runs before commands that cannot work without the packages and do not install them.
import { folderProblem, missingPackages, nodeProblem } from './packages.js'

const MISSING = 'The packages are not installed, or not those of package-lock.json. Run `npm ci` first.'
const problem = folderProblem() ?? (missingPackages().length > 0 ? MISSING : nodeProblem())
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}
