/**
 * `npm run build:client`: compiles packages/client/ and packs it, with its dependencies inside, into dist/registrar-client-….tgz,
 * which installs without a registry.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const source = join(root, 'packages/client')
const target = join(root, 'dist/client')
const modules = join(root, 'node_modules')

interface Manifest {
  [field: string]: unknown
  dependencies?: Record<string, string>
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const emit = ['--noEmit', 'false', '--declaration', '--incremental', 'false', '--tsBuildInfoFile', 'null']
const paths = ['--rewriteRelativeImportExtensions', '--rootDir', join(source, 'src'), '--outDir', target]
execFileSync(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', source, ...emit, ...paths], {
  stdio: 'inherit',
})
for (const name of ['README.md', 'CHANGELOG.md']) cpSync(join(source, name), join(target, name))

const { private: _, devDependencies: __, ...manifest } = readManifest(source)
writeFileSync(
  join(target, 'package.json'),
  JSON.stringify({
    ...manifest,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    bundleDependencies: Object.keys(manifest.dependencies ?? {}),
  }),
)
copyDependencies(manifest)
execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], { cwd: target, stdio: 'inherit' })

function copyDependencies({ dependencies = {} }: Manifest): void {
  for (const name of Object.keys(dependencies)) {
    const folder = join(modules, name)
    cpSync(folder, join(target, 'node_modules', name), { recursive: true })
    copyDependencies(readManifest(folder))
  }
}
