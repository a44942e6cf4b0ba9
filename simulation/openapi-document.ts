/** The service's own OpenAPI document. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const DOCUMENT_TEXT = readFileSync(join(import.meta.dirname, '..', 'src', 'assets', 'openapi.json'), 'utf8')

/** Every scope that a token may have. */
export const SCOPES: readonly string[] = (/\[([^\]]*"users:erase"[^\]]*)\]/.exec(DOCUMENT_TEXT)?.[1] ?? '')
  .split(',')
  .map((quoted) => quoted.replaceAll(/[\s"]/g, ''))
