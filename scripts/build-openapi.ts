/** Writes the OpenAPI document into the folder of the Worker's assets. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentText } from '../src/openapi/document.ts'

const root = join(import.meta.dirname, '..')
const guide = readFileSync(join(root, 'docs/guide.md'), 'utf8')
writeFileSync(join(root, 'src/assets/openapi.json'), documentText(guide))
