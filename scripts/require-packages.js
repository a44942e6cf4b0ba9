// Runs before commands that cannot work without the packages and do not install them.
import { folderProblem, missingPackages } from './packages.js'

const problem = folderProblem()
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}
if (missingPackages().length > 0) {
  console.error('The packages are not installed, or not those of package-lock.json. Run `npm ci` first.')
  process.exit(1)
}
