/** `npm run generate:docs`: writes the OpenAPI document and the generated pages and tables of docs/. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles } from './generated-files.ts'

for (const [path, content] of Object.entries(await generatedFiles())) {
  writeFileSync(join(import.meta.dirname, '..', path), content)
}
