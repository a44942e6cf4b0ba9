/** The console's workbooks, imported unchanged with "update", change nothing, in any language and zone, and saved by LibreOffice. */
import './browser-globals.ts'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  assertNothingChanges,
  CUSTOM_FIELDS,
  fill,
  throughOffice,
  withoutOffice,
  ZONES,
} from '../../import/test/circle.ts'
import { type FakeService, startService } from '../../import/test/service.ts'
import { accessColumns, type AccessOfUser, type Shown, userColumns } from '../src/screens/export/sheets.ts'
import { type SheetColumn, sheetOf, workbookOf } from '../src/screens/export/workbook.ts'
import type { User } from '../src/screens/users/draft.ts'
import { en } from '../src/words/en.ts'
import { es } from '../src/words/es.ts'
import { ptPT } from '../src/words/pt-pt.ts'
import { pt } from '../src/words/pt.ts'

const WORDS = { en, es, 'pt-BR': pt, 'pt-PT': ptPT } as const
const LANGUAGES = ['en', 'es', 'pt-BR', 'pt-PT'] as const
const NOW = Date.UTC(2027, 5, 30)

let service: FakeService
before(async () => {
  service = await startService()
})
after(() => service.stop())

function shownIn(language: (typeof LANGUAGES)[number], zone: string, labels: (string | null)[] = []): Shown {
  const customFields = CUSTOM_FIELDS.map(({ key, label }, i) => ({ key, label: labels[i] ?? label, created_at: '' }))
  return { words: WORDS[language], language, zone, customFields }
}

async function workbook<T>(columns: SheetColumn<T>[], rows: T[]): Promise<Uint8Array> {
  async function* each() {
    yield* rows
  }
  return workbookOf([await sheetOf({ title: 'People', columns, rows: each() })])
}

function copyOf(records: Record<string, unknown>[]): any {
  return structuredClone(records)
}

/** Returns the workbooks of the users and of their accesses. */
async function workbooks(shown: Shown): Promise<{ name: string; bytes: Uint8Array }[]> {
  const users: User[] = copyOf(service.users)
  const all: AccessOfUser['access'][] = copyOf(service.accesses)
  const accesses = all.map((access) => ({ access, user: users.find(({ id }) => id === access.user.id) }))
  return [
    { name: 'users.xlsx', bytes: await workbook(userColumns(shown), users) },
    { name: 'accesses.xlsx', bytes: await workbook(accessColumns(shown, NOW), accesses) },
  ]
}

for (const zone of ZONES)
  describe(`In ${zone}`, () => {
    for (const language of LANGUAGES)
      it(`the workbooks in ${language} change nothing`, async () => {
        const stored = await fill(service, zone)
        for (const { name, bytes } of await workbooks(shownIn(language, zone)))
          await assertNothingChanges(service, bytes, { zone, before: stored, about: name })
      })
  })

describe('Custom fields', () => {
  it('keep their values, whatever their labels are', async () => {
    for (const language of ['en', 'es'] as const) {
      const { fieldNames, accesses, common, user } = WORDS[language]
      const taken = [user.firstName, fieldNames.phone, accesses.state, accesses.due, accesses.progress, common.created]
      for (const label of [...taken, 'language', 'product', 'id', 'Estado', 'Progress', 'x']) {
        const shown = shownIn(language, 'UTC', [label, label === 'x' ? 'X' : null])
        const columns = [userColumns(shown), accessColumns(shown, NOW)].map((all) => all.map(({ head }) => head))
        for (const heads of columns) assert.equal(new Set(heads).size, heads.length)
        const stored = await fill(service, 'UTC')
        for (const { name, bytes } of await workbooks(shown))
          await assertNothingChanges(service, bytes, {
            zone: 'UTC',
            customFields: shown.customFields,
            before: stored,
            about: `${name} ${language} ${label}`,
          })
      }
    }
  })
})

describe('Opened and saved in LibreOffice', async () => {
  const skip = await withoutOffice()
  for (const to of ['xlsx', 'csv'] as const)
    it(`the workbooks change nothing as ${to}`, { skip }, async () => {
      const zone = 'America/Santiago'
      const stored = await fill(service, zone)
      const made = await Promise.all(
        LANGUAGES.map(async (language) => {
          const files = await workbooks(shownIn(language, zone))
          return files.map(({ name, bytes }) => ({ name: `${language}-${name}`, bytes }))
        }),
      )
      const files = made.flat()
      for (const [i, bytes] of (await throughOffice(files, to)).entries())
        await assertNothingChanges(service, bytes, { zone, dates: 'dmy', before: stored, about: files[i]?.name ?? '' })
    })
})
