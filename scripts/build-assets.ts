/** Gathers what the ASSETS binding serves: our page and document, and Swagger UI from its package. */
import { copyFile, cp, mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const from = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

await mkdir(from('dist/assets/docs'), { recursive: true })
await cp(from('src/assets'), from('dist/assets'), { recursive: true })
for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png']) {
  await copyFile(from(`node_modules/swagger-ui-dist/${file}`), from(`dist/assets/docs/${file}`))
}
