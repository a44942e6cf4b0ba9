/** What an export writes, imported unchanged with "update", changes nothing: the people, their accesses, and the import of a file. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endOfDay, startOfDay } from '../../../src/calendar.ts'
import type { OnExisting } from '../batches.ts'
import type { Change } from '../changes.ts'
import { connect } from '../client.ts'
import { readHead, valuesIn } from '../head.ts'
import { type CustomField, guessColumns, NO_FIELD } from '../headings.ts'
import { inspect, type Inspection } from '../inspect.ts'
import { recognize } from '../recognize.ts'
import { runImport } from '../run.ts'
import type { DateOrder, Source } from '../source.ts'
import type { FailedRow, State } from '../state.ts'
import { importText, sourceOf } from './memory.ts'
import { type FakeService, STORE_TOKEN } from './service.ts'

export const ZONES = ['Europe/Lisbon', 'America/Santiago', 'America/Sao_Paulo', 'Pacific/Kiritimati', 'UTC']
/** The clocks of Santiago change at this day's end. */
const DAYS = ['2027-12-31', '2027-04-03']
export const PRODUCTS = [
  { name: 'Álgebra I', slug: 'algebra' },
  { name: 'engines', slug: 'engines' },
]
/** As in the store of service.ts. */
export const CUSTOM_FIELDS = [
  { key: 'field1', label: null },
  { key: 'team', label: 'Equipo de ventas' },
]

/** The last moment of a day, with and without its milliseconds, the midnight after it, and times within the day. */
function endsIn(zone: string): (string | null)[] {
  const ends = DAYS.flatMap((day) => {
    const end = endOfDay(day, zone)
    return [end, end - 999, end - 400, end + 1, startOfDay(day, zone) + 500, end - 3_600_000, end - 3_600_000 + 123]
  })
  return [...ends.map((end) => new Date(end).toISOString()), null]
}

/** Texts that a spreadsheet, or whoever reads its file, could take for something else. */
const NAMES: [name: string, lastName: string][] = [
  ['Ana', 'Gil'],
  ['Ana María', 'de la O'],
  ['José', 'Gil, Jr.'],
  ['Eva', 'Sol, Luz, Paz'],
  ["'=Zoë", "- O'Brien"],
  ['രാജന്\u200d', '+Sol'],
  ['Ana', 'Blank  within'],
]
const PHONES = ['+34 600', "'=1", '0034 600', "'+34", '-']
const TEAMS = ['7', 7, true, 'true', 'TRUE', '08001', '=2+3', 'null', '"x"', 0.5, '50%', '2027-12-31', 'Verdadero']

/** Fills the store, and returns what is in it. */
export async function fill(service: FakeService, zone: string): Promise<string> {
  service.reset()
  service.setStore({ time_zone: zone })
  service.scopes = [...service.scopes, 'product_accesses:read', 'products:read']
  const people = endsIn(zone).map((end, i) => {
    const [name, last_name] = NAMES[i % NAMES.length] ?? []
    return {
      name,
      last_name,
      email: `ana${i}@example.com`,
      phone: PHONES[i % PHONES.length],
      country: i % 2 === 0 ? 'FK' : 'HK',
      external_id: `00${i}`,
      custom_fields: { team: TEAMS[i % TEAMS.length], field1: 'áé' },
      product_accesses: [
        { slug: 'algebra', access_due_date: end, ...(i === 3 && { status: 'without_access' }) },
        ...(i % 3 === 0 ? [{ slug: 'engines' }] : []),
      ],
    }
  })
  const state = await importText(service, people.map((person) => JSON.stringify(person)).join('\n'))
  assert.equal(state.created, people.length)
  return stored(service)
}

export function stored({ users, accesses }: FakeService): string {
  return JSON.stringify([users, accesses])
}

export interface Done {
  state: State
  changes: Change[]
  failed: FailedRow[]
  source: Source
  inspection: Inspection
  rename: Record<string, string>
}

interface ImportOptions {
  zone: string
  dates?: DateOrder | undefined
  onExisting?: OnExisting
  customFields?: CustomField[]
}

/** Imports a file as the command does, with `--ignore '*'`. */
export async function importFile(
  service: FakeService,
  bytes: string | Uint8Array,
  { zone, dates, onExisting = 'update', customFields = CUSTOM_FIELDS }: ImportOptions,
): Promise<Done> {
  const { source: read } = await recognize(sourceOf(bytes), { dates })
  const source = { ...read, timeZone: zone }
  const head = await readHead(source)
  const { fields, unclear } = guessColumns(head.columns, head.format, customFields, valuesIn(head))
  assert.deepEqual(unclear, [])
  const rename = Object.fromEntries(
    Object.entries(fields).filter(([name, field]) => field !== NO_FIELD || name !== 'id'),
  )
  const [changes, failed]: [Change[], FailedRow[]] = [[], []]
  const inspection = await inspect(source, { rename })
  const state = await runImport({
    source,
    inspection,
    rename,
    products: PRODUCTS,
    client: connect({ url: service.url, store: 'demo', token: STORE_TOKEN, backoffMs: 1 }),
    onExisting,
    dryRun: false,
    keeper: {
      keepFailed: async (rows) => void failed.push(...rows),
      saveState: async () => {},
      keepChanges: async (found) => {
        changes.push(...found)
        return found
      },
    },
  })
  return { state, changes, failed, source, inspection, rename }
}

/** Imports a file with `update`, and compares what is stored with what was. */
export async function assertNothingChanges(
  service: FakeService,
  bytes: string | Uint8Array,
  { before, about, ...options }: ImportOptions & { before: string; about: string },
): Promise<void> {
  const { state, changes, failed } = await importFile(service, bytes, options)
  assert.deepEqual(
    failed.map(({ row, reasons }) => [row.line, reasons]),
    [],
    about,
  )
  assert.deepEqual(changes, [], about)
  assert.deepEqual([state.created, state.existing, state.changed], [0, state.rows, 0], about)
  assert.ok(state.rows > 0)
  assert.equal(stored(service), before, about)
}

const OUTPUTS = { xlsx: 'xlsx:Calc MS Excel 2007 XML', csv: 'csv:Text - txt - csv (StarCalc):44,34,76,1' }

/** Why LibreOffice cannot open files here, or false. */
export async function withoutOffice(): Promise<string | false> {
  try {
    await promisify(execFile)('soffice', ['--version'])
    return false
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return 'LibreOffice (soffice) is not installed'
    throw error
  }
}

/** Opens files in LibreOffice, and returns what it saves of each. `input` says how it reads CSV. */
export async function throughOffice(
  files: { name: string; bytes: string | Uint8Array }[],
  to: keyof typeof OUTPUTS,
  input?: string,
): Promise<Uint8Array[]> {
  const folder = await mkdtemp(join(tmpdir(), 'registrar-office-'))
  try {
    const paths = files.map(({ name }) => join(folder, name))
    for (const [i, { bytes }] of files.entries()) await writeFile(paths[i] ?? '', bytes)
    await promisify(execFile)(
      'soffice',
      [
        '--headless',
        `-env:UserInstallation=file://${folder}/office`,
        ...(input === undefined ? [] : [`--infilter=${input}`]),
        '--convert-to',
        OUTPUTS[to],
        '--outdir',
        join(folder, 'saved'),
        ...paths,
      ],
      { timeout: 180_000 },
    )
    return await Promise.all(files.map(({ name }) => readFile(join(folder, 'saved', name.replace(/\w+$/, to)))))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
