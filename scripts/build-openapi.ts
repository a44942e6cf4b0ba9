/** Writes the OpenAPI document to where the Worker's assets are gathered from. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentText } from '../src/openapi/document.ts'

const target = join(import.meta.dirname, '../src/assets/openapi.json')
writeFileSync(target, documentText())
