/** Gathers what the ASSETS binding serves: our page and document, and Swagger UI from its package. */
import { copyFile, cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const target = join(root, 'dist/assets')

await mkdir(join(target, 'docs'), { recursive: true })
await cp(join(root, 'src/assets'), target, { recursive: true })
for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png']) {
  await copyFile(join(root, 'node_modules/swagger-ui-dist', file), join(target, 'docs', file))
}
