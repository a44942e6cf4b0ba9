/**
 * Collects the files that the ASSETS binding serves: our pages, the OpenAPI document, the console, the client for
 * integrators, and Scalar's API reference. Scalar has two standalone builds. This takes the one in modules, which loads its
 * test client and icons on demand.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildConsole, changedAt } from './build-console.ts'
import { referenceFolder } from './fetch-reference.js'
import { fitDocument, pageFor, PAGE_NAMES, type Service, toHtml } from './docs-pages.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'dist/assets')
/** wrangler sets this for its build command. Without wrangler, the files are for tests. */
const service: Service = ['dev', undefined].includes(process.env['WRANGLER_COMMAND']) ? 'local' : 'deployed'

await mkdir(join(target, 'docs'), { recursive: true })
await cp(join(root, 'src/assets'), target, { recursive: true })
for (const name of ['standalone.esm.js', 'chunks']) {
  await cp(join(referenceFolder(), name), join(target, 'docs', name), {
    recursive: true,
  })
}
for (const name of PAGE_NAMES) {
  const page = pageFor(service, await readFile(join(root, `docs/${name}.md`), 'utf8'))
  await writeFile(join(target, `docs/${name}.md`), page)
  await writeFile(join(target, `docs/${name}.html`), toHtml(name, page))
}
const document = await readFile(join(root, 'src/assets/openapi.json'), 'utf8')
await writeFile(join(target, 'openapi.json'), fitDocument(service, document))
await cp(await packClient(), join(target, 'docs/registrar-client.tgz'))
await buildConsole()

/** Runs `npm run build:client`, unless its tarball is newer than what it is made of. Returns the path of the tarball. */
async function packClient(): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readFile(join(root, 'packages/client/package.json'), 'utf8'),
  )
  const tarball = join(root, `dist/registrar-client-${version}.tgz`)
  const sources = ['packages/client', 'package-lock.json', 'scripts/build-client.ts'].map((path) =>
    changedAt(join(root, path)),
  )
  if (changedAt(tarball) < Math.max(...sources)) {
    execFileSync(process.execPath, [join(root, 'scripts/build-client.ts')], { cwd: root, stdio: 'ignore' })
  }
  return tarball
}
