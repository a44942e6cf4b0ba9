/**
 * `npm run test:generators`: what integrators make of the OpenAPI document compiles under strict, for all operations and for
 * those of `?for=integrators`. Two generators of types, three of clients and two of validators. It also compiles a program
 * against the packed client with the oldest TypeScript that its README names, without skipLibCheck.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { forIntegrators } from '../../scripts/served-document.ts'
import { installTools } from './install.ts'

interface Generator {
  program: string
  args: string[]
  /** A file that it writes: some exit with 0 when they have written nothing. */
  output: string
}

const INPUT = 'openapi.json'
const CODEGEN = 'openapi-typescript-codegen'
const ORVAL = 'orval/dist/bin/orval.mjs'

const GENERATORS: Generator[] = [
  { program: 'openapi-typescript/bin/cli.js', args: [INPUT, '-o', 'types.ts'], output: 'types.ts' },
  { program: 'typed-openapi/bin.js', args: [INPUT, '-o', 'typed.ts'], output: 'typed.ts' },
  {
    program: `${CODEGEN}/bin/index.js`,
    args: ['-i', INPUT, '-o', CODEGEN, '-c', 'fetch'],
    output: `${CODEGEN}/index.ts`,
  },
  {
    program: '@hey-api/openapi-ts/bin/run.js',
    args: ['-i', INPUT, '-o', 'hey-api', '-c', '@hey-api/client-fetch', '--no-log-file'],
    output: 'hey-api/sdk.gen.ts',
  },
  { program: ORVAL, args: ['-i', INPUT, '-o', 'orval.ts', '--client', 'fetch'], output: 'orval.ts' },
  { program: 'openapi-zod-client/bin.js', args: [INPUT, '-o', 'zod-client.ts'], output: 'zod-client.ts' },
  { program: ORVAL, args: ['-i', INPUT, '-o', 'orval-zod.ts', '--client', 'zod'], output: 'orval-zod.ts' },
]
const TSCONFIG = `{
  "compilerOptions": {
    "strict": true, "noEmit": true, "skipLibCheck": true, "target": "es2022", "lib": ["es2023", "dom", "dom.iterable"],
    "module": "esnext", "moduleResolution": "bundler", "types": []
  },
  "include": ["*.ts", "*/**/*.ts"]
}`
const STRICT = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable']

const tools = installTools()
const folder = mkdtempSync(join(tmpdir(), 'registrar-generators-'))
let failures = 0

const NOTHING = { stdout: '', stderr: '' }

function report(
  what: string,
  { status, stdout, stderr }: { status: number | null; stdout: string; stderr: string },
): void {
  if (status !== 0) failures++
  console.log(status === 0 ? `${what}: passed` : `${what}: FAILED\n${(stdout + stderr).slice(0, 5000)}`)
}

function generate(name: string, document: string): void {
  const target = join(folder, name)
  const run = (program: string, args: string[]) =>
    spawnSync(process.execPath, [join(tools, 'node_modules', program), ...args], { cwd: target, encoding: 'utf8' })
  cpSync(join(tools, 'package.json'), join(target, 'package.json'))
  symlinkSync(join(tools, 'node_modules'), join(target, 'node_modules'))
  writeFileSync(join(target, INPUT), document)
  for (const { program, args, output } of GENERATORS) {
    report(`${program} generates (${name})`, run(program, args))
    report(`it has written ${output}`, { ...NOTHING, status: existsSync(join(target, output)) ? 0 : 1 })
  }
  writeFileSync(join(target, 'tsconfig.json'), TSCONFIG)
  report(`what they have generated compiles (${name})`, run('typescript/bin/tsc', ['-p', '.']))
}

/** The package as an integrator installs it. */
function compileWithOldest(): void {
  const { version }: { version: string } = JSON.parse(readFileSync('packages/client/package.json', 'utf8'))
  const target = join(folder, 'client')
  execFileSync(process.execPath, ['scripts/build-client.ts'], { stdio: 'ignore' })
  cpSync('packages/client/test/checkout.ts', join(target, 'checkout.ts'))
  writeFileSync(join(target, 'package.json'), '{"type":"module"}')
  const install = ['install', '--offline', '--no-audit', '--no-fund', resolve(`dist/registrar-client-${version}.tgz`)]
  execFileSync('npm', [...install, '--cache', join(target, 'cache')], { cwd: target, stdio: 'ignore' })
  const tsc = join(tools, 'node_modules/typescript-5.4/bin/tsc')
  const argv = [tsc, ...STRICT, '--module', 'nodenext', 'checkout.ts']
  report(
    'the client compiles with TypeScript 5.4',
    spawnSync(process.execPath, argv, { cwd: target, encoding: 'utf8' }),
  )
}

try {
  const document = readFileSync('src/assets/openapi.json', 'utf8')
  generate('all', document)
  generate('integrators', forIntegrators(document))
  compileWithOldest()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures === 0 ? 0 : 1
