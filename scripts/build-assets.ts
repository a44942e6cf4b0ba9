/**
 * Collects the files that the ASSETS binding serves: our pages, the OpenAPI document, the console, the client for
 * integrators, and Scalar's API reference. Scalar has two standalone builds. This takes the one in modules, which loads its
 * test client and icons on demand.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buildConsole, changedAt } from './build-console.ts'
import { referenceFolder } from './fetch-reference.js'
import { llmsText, pageFor, PAGE_NAMES, type Service, sourceOf, toHtml } from './docs-pages.ts'
import { fitDocument, forIntegrators } from './served-document.ts'

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
  const page = pageFor(service, await readFile(join(root, sourceOf(name)), 'utf8'))
  await writeFile(join(target, `docs/${name}.md`), page)
  await writeFile(join(target, `docs/${name}.html`), toHtml(name, page))
}
const document = await readFile(join(root, 'src/assets/openapi.json'), 'utf8')
await writeFile(join(target, 'openapi.json'), fitDocument(service, document))
await writeFile(join(target, 'openapi-integrators.json'), forIntegrators(fitDocument(service, document)))
await writeFile(join(target, 'llms.txt'), llmsText())
await copyClients()
await buildConsole()

/** Those that were released stay as they were, byte for byte. Between two releases the newest one is made of the sources. */
async function copyClients(): Promise<void> {
  const earlier = (await readdir(join(target, 'docs'))).filter((name) => name.endsWith('.tgz'))
  await Promise.all(earlier.map((name) => rm(join(target, 'docs', name))))
  const tarball = await packClient()
  await cp(tarball, join(target, 'docs', basename(tarball)))
  const released = join(root, 'packages/client/releases')
  await cp(released, join(target, 'docs'), { recursive: true, filter: (path) => !path.endsWith('.md') })
}

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
