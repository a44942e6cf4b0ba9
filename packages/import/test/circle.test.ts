/** What an export writes, imported unchanged with "update", changes nothing, in any zone and language, as CSV and as a workbook. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endOfDay, localText, startOfDay } from '../../../src/calendar.ts'
import { guessFields } from '../headings.ts'
import { inspect } from '../inspect.ts'
import { connect } from '../client.ts'
import { openFile } from '../read.ts'
import { recognize } from '../recognize.ts'
import { runImport } from '../run.ts'
import type { Change } from '../changes.ts'
import { writeWorkbook } from '../write-workbook.ts'
import { importText, sourceOf } from './memory.ts'
import { type FakeService, startService, STORE_TOKEN } from './service.ts'

let service: FakeService
before(async () => {
  service = await startService()
})
after(() => service.stop())

const ZONES = ['Europe/Lisbon', 'America/Santiago', 'America/Sao_Paulo', 'Pacific/Kiritimati', 'UTC']
/** The clocks of Santiago change at this day's end. */
const DAYS = ['2027-12-31', '2027-04-03']
/** The headings and the state of the console's workbooks, in its languages. */
const HEADINGS = {
  en: ['Last name', 'First name', 'Email', 'Phone', 'Product', 'State', 'Due', 'Progress', 'In force'],
  es: [
    'Apellidos',
    'Nombre',
    'Correo electrónico',
    'Teléfono',
    'Producto',
    'Estado',
    'Vencimiento',
    'Progreso',
    'Vigente',
  ],
  'pt-BR': [
    'Sobrenome',
    'Nome',
    'E-mail',
    'Telefone',
    'Produto',
    'Situação',
    'Data de expiração',
    'Progresso',
    'Em vigor',
  ],
  'pt-PT': ['Apelido', 'Nome', 'E-mail', 'Telefone', 'Produto', 'Estado', 'Data de fim', 'Progresso', 'Em vigor'],
}

/** The last moment of a day, with and without its milliseconds, the midnight after it, and times within the day. */
function endsIn(zone: string): (string | null)[] {
  const ends = DAYS.flatMap((day) => {
    const end = endOfDay(day, zone)
    return [end, end - 999, end - 400, end + 1, startOfDay(day, zone) + 500, end - 3_600_000, end - 3_600_000 + 123]
  })
  return [...ends.map((end) => new Date(end).toISOString()), null]
}

async function importFile(bytes: string | Uint8Array, zone: string) {
  const { source: read } = await recognize(sourceOf(bytes))
  const source = { ...read, timeZone: zone }
  const { header, format, rows } = await openFile(source)
  await rows.return(undefined)
  const rename = guessFields(header, format, [])
  const changes: Change[] = []
  const state = await runImport({
    source,
    inspection: await inspect(source, { rename }),
    rename,
    products: [{ name: 'Álgebra I', slug: 'algebra' }],
    client: connect({ url: service.url, store: 'demo', token: STORE_TOKEN }),
    onExisting: 'update',
    dryRun: false,
    keeper: {
      keepFailed: async (failed) =>
        assert.deepEqual(
          failed.map(({ reasons }) => reasons),
          [],
        ),
      saveState: async () => {},
      keepChanges: async (found) => {
        changes.push(...found)
        return found
      },
    },
  })
  return { state, changes }
}

describe('The export of accesses', () => {
  for (const zone of ZONES)
    it(`changes nothing when it is imported in ${zone}`, async () => {
      service.reset()
      service.scopes = [...service.scopes, 'product_accesses:read']
      const people = endsIn(zone).map((end, i) => ({
        name: 'Ana',
        last_name: `Gil ${i}`,
        email: `ana${i}@example.com`,
        phone: i % 2 === 0 ? '+34 600' : `'=${i}`,
        product_accesses: [{ slug: 'algebra', access_due_date: end }],
      }))
      await importText(service, people.map((person) => JSON.stringify(person)).join('\n'))
      const stored = JSON.stringify([service.users, service.accesses])
      assert.equal(service.accesses.length, people.length)
      for (const [language, [...headings]] of Object.entries(HEADINGS)) {
        const state = headings.pop() ?? ''
        const rows = people.map(({ name, last_name, email, phone, product_accesses: [access] }) => {
          const due = access?.access_due_date
          const text = due ? localText(Date.parse(due), zone) : ''
          return [last_name, name, email, phone, 'Álgebra I', state, text, '0']
        })
        const csv = [headings, ...rows].map((row) => row.map((cell) => `"${cell}"`).join(';')).join('\r\n')
        const cells = rows.map((row) => row.map((text) => ({ text: text.replace(/^(\d{4}-\d\d-\d\d) /, '$1T') })))
        const workbook = await writeWorkbook({ name: 'Accesses', header: headings, rows: cells })
        for (const file of [csv, `\ufeff${csv}`, workbook]) {
          const { state: done, changes } = await importFile(file, zone)
          assert.deepEqual([changes, done.existing, done.changed, done.failed], [[], people.length, 0, 0], language)
          assert.equal(JSON.stringify([service.users, service.accesses]), stored, language)
        }
      }
    })
})
