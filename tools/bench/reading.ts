/**
 * `npm run bench:reading` reads a workbook of 100,000 rows and 8 columns, and one of a million, with the import and with the
 * streaming readers of others, and prints times, peaks of memory, and their ratios. The others are installed into a temporary
 * folder. `--base DIR` also measures an earlier release in that folder, with its packages. Each reading is a process of its
 * own; on a machine that does something else meanwhile, compare CPU times. It takes about two minutes.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createWriteStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { writeXlsxStream } from 'hucre/xlsx'

const PEERS = { exceljs: '4.4.0', hucre: '1.0.0' }
const [FEW, MANY] = [100_000, 1_000_000]
/** Ours as a share of the base, and a million rows as a multiple of a hundred thousand. */
const TARGETS = { time: 0.25, memory: 0.4, growth: 1.5 }

interface Measured {
  rows: number
  seconds: number
  cpuSeconds: number
  megabytes: number
}

const { values } = parseArgs({
  options: { base: { type: 'string' }, rows: { type: 'string', default: String(FEW) }, quick: { type: 'boolean' } },
})
const folder = mkdtempSync(join(tmpdir(), 'registrar-reading-'))
try {
  await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const few = await write(Number(values.rows))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: PEERS }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: folder, stdio: 'inherit' })
  const ours = measure('import', 'ours.ts', few, '.')
  const exceljs = measure('exceljs (streaming)', 'exceljs.ts', few, folder)
  measure('hucre (streaming)', 'hucre.ts', few, folder)
  check('memory, as a share of exceljs', ours.megabytes / exceljs.megabytes, 1)
  if (values.base !== undefined) {
    const base = measure(`import in ${values.base}`, 'ours.ts', few, values.base)
    check('time, as a share of the base', ours.seconds / base.seconds, TARGETS.time)
    console.log(`  CPU time, as a share of the base: ${(ours.cpuSeconds / base.cpuSeconds).toFixed(2)}`)
    check('memory, as a share of the base', ours.megabytes / base.megabytes, TARGETS.memory)
  }
  if (values.quick) return
  const many = measure('import', 'ours.ts', await write(MANY), '.')
  check('memory of a million rows, as a multiple', many.megabytes / ours.megabytes, TARGETS.growth)
}

function measure(name: string, reader: string, file: string, root: string): Measured {
  const script = join(import.meta.dirname, 'readers', reader)
  // The flags are those of `npm run import`.
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--max-semi-space-size=16', script, file, root], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${name}: ${stderr}`)
  const measured: Measured = JSON.parse(stdout)
  const { rows, seconds, cpuSeconds, megabytes } = measured
  const [time, cpu] = [seconds, cpuSeconds].map((each) => `${each.toFixed(1).padStart(6)} s`)
  console.log(
    `${name.padEnd(24)} ${String(rows).padStart(9)} rows ${time} ${cpu} CPU ${String(megabytes).padStart(5)} MiB`,
  )
  return measured
}

function check(name: string, ratio: number, target: number): void {
  const isReached = ratio <= target
  console.log(`  ${name}: ${ratio.toFixed(2)} (target ${target})${isReached ? '' : ', MISSED'}`)
  if (!isReached) process.exitCode = 1
}

/** Half of the cells are texts that no other cell has, so the table of shared texts is as large as it can be. */
async function write(rows: number): Promise<string> {
  const file = join(folder, `${rows}.xlsx`)
  if (existsSync(file)) return file
  const names = ['Ana', 'Luis', 'María José', 'Eva', 'João', 'Inês', 'Núria', 'Zoë']
  const columns = ['name', 'last_name', 'email', 'phone', 'external_id', 'custom_fields.x', 'product'].map(
    (header) => ({
      header,
    }),
  )
  const due = { header: 'product_due_date', numFmt: 'dd/mm/yyyy' }
  function* people() {
    for (let i = 0; i < rows; i++) {
      const name = names[i % names.length] ?? ''
      const day = new Date(Date.UTC(2027, 0, 1 + (i % 365)))
      yield [
        name,
        `Gil ${i % 997}`,
        `person${i}@example.com`,
        34_600_000_000 + i,
        `A-${i}`,
        (i % 1000) / 10,
        'course',
        day,
      ]
    }
  }
  const stream = writeXlsxStream(people(), { name: 'People', columns: [...columns, due], inlineStrings: false })
  await pipeline(chunksOf(stream), createWriteStream(file))
  return file
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
}
