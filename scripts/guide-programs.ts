/** The programs of the guide, as a reader saves them: the tests run what people copy. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { programsOf } from './smoke-pages.ts'

export const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0

/** Saves the programs in a new folder, each changed by `edit`. The folder is removed when this process exits. */
export function saveGuidePrograms(edit: (text: string) => string = (text) => text): string {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-guide-'))
  process.on('exit', () => rmSync(folder, { recursive: true }))
  for (const [name, text] of programsOf(readFileSync('docs/guide.md', 'utf8'))) {
    writeFileSync(join(folder, name), edit(text))
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return folder
}

export interface Program {
  child: ChildProcess
  /** What it has printed so far, its errors included. */
  output: () => string
  /** Its status, null if a signal ended it. */
  ended: Promise<number | null>
}

/** Starts a program that is saved in the folder. */
export function startProgram(folder: string, name: string, env: NodeJS.Dict<string> = {}): Program {
  const command = name.endsWith('.py') ? 'python3' : process.execPath
  const child = spawn(command, [name], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.on('close', done))
  return { child, output: () => text, ended }
}
