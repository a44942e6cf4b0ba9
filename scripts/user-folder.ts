/**
 * The folder from which somebody has called npm. npm runs each script in the folder of the project, so a file that is named from
 * elsewhere would be looked for there, and an export of people would be left there.
 */
import { isAbsolute, join, relative, resolve } from 'node:path'

const { INIT_CWD: called, npm_package_json: project } = process.env

/** A test or a script of another project may pass its own variables on. */
export const USER_FOLDER =
  called !== undefined && project === join(process.cwd(), 'package.json') ? called : process.cwd()

/** The path from the folder of the project. */
export function pathOfUser(path: string): string {
  return isAbsolute(path) ? path : relative(process.cwd(), resolve(USER_FOLDER, path))
}
