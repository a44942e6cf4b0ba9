/** The package as an integrator gets it: installed in an empty folder without a registry, against a service behind the edge. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { after, before, it } from 'node:test'
import { freePort } from '../../../scripts/free-port.ts'
import { copyProject } from '../../../scripts/project-copy.ts'
import { type Service, startService } from '../../../scripts/service.ts'

const { version: VERSION } = JSON.parse(readFileSync('packages/client/package.json', 'utf8'))
const TSC = resolve('node_modules/typescript/bin/tsc')
const TSC_OPTIONS = ['--strict', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--module', 'nodenext']

let project: string
let folder: string
let service: Service

function run(command: string, args: string[], env: Record<string, string> = {}): string {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } })
}

before(async () => {
  project = copyProject({ withConsole: true })
  folder = mkdtempSync(join(tmpdir(), 'registrar-client-'))
  service = await startService(await freePort(), project, ['--edge'])
})

after(async () => {
  await service.stop()
  rmSync(project, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

it('installs offline, compiles with its own types, and sells, renews and refunds, on an older Node too', () => {
  execFileSync(process.execPath, ['scripts/build-client.ts'], { stdio: 'inherit' })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const offline = ['--offline', '--cache', join(folder, 'cache'), '--no-audit', '--no-fund']
  run('npm', ['install', ...offline, resolve(`dist/registrar-client-${VERSION}.tgz`)])
  assert.ok(existsSync(join(folder, 'node_modules/registrar-client/CHANGELOG.md')))
  assert.equal(run(process.execPath, ['-p', 'require("registrar-client/package.json").version']).trim(), VERSION)
  cpSync('packages/client/test/checkout.ts', join(folder, 'checkout.ts'))
  run(process.execPath, [TSC, ...TSC_OPTIONS, 'checkout.ts'])
  for (const [version, node] of nodes()) {
    const env = { REGISTRAR_URL: service.origin, REGISTRAR_TOKEN: service.token, ORDER: version }
    assert.deepEqual(
      run(node, ['checkout.js'], env).trim().split('\n'),
      [
        'analytical-engines without_access',
        'user.created Demo',
        'product_access.granted Demo',
        'product_access.updated Demo',
        'product_access.updated Demo',
      ],
      version,
    )
  }
})

/** By version: the Node of the project, and the Node 20 or 22 that this machine has. The package promises to run there, too. */
function nodes(): Map<string, string> {
  const found = (process.env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, 'node'))
  const all = [process.execPath, ...found.filter((path) => existsSync(path))]
  const versions = new Map(all.map((path) => [run(path, ['--version']).trim(), path]))
  return new Map([...versions].filter(([version]) => version === process.version || /^v2[02]\./.test(version)))
}
