/**
 * Opens the CSV files for spreadsheets as somebody in Spain does, whose cells are separated by semicolons. Without
 * LibreOffice it is skipped; `.ci/run` installs it, and test/modules/csv-files/csv-files.test.ts reads the files with csv-parse.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { PLAIN_FIELDS } from '../../../src/modules/users/user-fields.ts'
import { ofEach } from '../../../src/lib/names.ts'
import { toAccessCells, toUserCells } from '../../../src/modules/csv-files/admin-routes.ts'
import { USER_COLUMNS } from '../../../src/modules/users/csv-columns.ts'
import { SPREADSHEET_ACCESS_COLUMNS } from '../../../src/modules/accesses/csv-columns.ts'
import { type Cell, csvLine, spreadsheetCsv } from '../../../src/modules/csv-files/csv.ts'

const OFFICE = ['soffice', 'libreoffice'].find((name) => spawnSync(name, ['--version']).status === 0)
const skip = OFFICE === undefined && 'LibreOffice is not installed'

/** The filter options: the separator of Spain, quote, UTF-8, first line, formats of the columns, and the language es-ES. */
const INPUT = 'Text - txt - csv (StarCalc):59,34,76,1,,3082'
const OUTPUT = 'csv:Text - txt - csv (StarCalc):9,34,76,1,,3082,false,true,false'
const TIMEOUT_MS = 120_000

const ID = 2 ** 32 + 7
const NAME = 'José María'
const LAST_NAME = 'Núñez; Ibáñez, "hijo"'

const USER = {
  ...ofEach(PLAIN_FIELDS, () => null),
  id: ID,
  store: 1,
  email_key: 'jose@example.com',
  email: 'jose@example.com',
  name: NAME,
  last_name: LAST_NAME,
  name_folded: '',
  last_name_folded: '',
  email_folded: null,
  phone_digits: null,
  role: 'student',
  language: 'ES',
  phone: '+34 600 000 000',
  country: 'ES',
  external_id: '=1+1',
  avatar: 'línea\n=2+2;=3+3',
  custom_fields: '{"área":"Ventas; España","otra":"ñ"}',
  password_hash: null,
  created_at: 0,
  updated_at: 0,
  event_id: ID,
}

const ACCESS = {
  id: ID,
  status: 'with_access' as const,
  access_due_date: null,
  started_at: null,
  completed_at: null,
  progress: 40,
  passed: 0,
  grade: null,
  concept_grade: 'Muy bien; según él, "ñ"',
  certificate_url: null,
  created_at: 0,
  changed_by: ID,
  expiration_days: null,
  product_id: ID,
  product_slug: 'espanol',
  product_type: 'curso',
  product_name: 'Español',
  user_id: ID,
  user_name: NAME,
  user_last_name: LAST_NAME,
  user_external_id: null,
  user_email: 'jose@example.com',
}

describe('A CSV file for a spreadsheet, opened by LibreOffice in Spanish', { skip }, () => {
  let folder: string

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registrar-spreadsheet-'))
  })

  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Returns the rows as LibreOffice shows them, by the names of their columns. */
  function open(name: string, lines: Cell[][]): Record<string, string>[] {
    const format = spreadsheetCsv('ES')
    const path = join(folder, `${name}.csv`)
    writeFileSync(path, format.start + lines.map((line) => csvLine(line, format)).join(''))
    const shown = join(folder, 'shown')
    const { status, stderr } = spawnSync(
      OFFICE ?? '',
      [
        '--headless',
        `-env:UserInstallation=file://${folder}/profile`,
        `--infilter=${INPUT}`,
        '--convert-to',
        OUTPUT,
        '--outdir',
        shown,
        path,
      ],
      { env: { ...process.env, LC_ALL: 'es_ES.UTF-8' }, encoding: 'utf8', timeout: TIMEOUT_MS },
    )
    assert.equal(status, 0, stderr)
    return parse(readFileSync(join(shown, `${name}.csv`)), { bom: true, columns: true, delimiter: '\t' })
  }

  it('shows users with their accents, their columns and no formula', () => {
    const header = [...USER_COLUMNS, 'custom_fields.área', 'custom_fields']
    const rows = open('users', [header, toUserCells(USER, ['área'])])
    assert.equal(rows.length, 1)
    const [row = {}] = rows
    assert.deepEqual(Object.keys(row), header)
    const { id, name, last_name, email, phone, external_id, avatar } = row
    assert.deepEqual(
      { id, name, last_name, email, phone, external_id, avatar },
      {
        id: '7',
        name: NAME,
        last_name: LAST_NAME,
        email: USER.email,
        phone: "'+34 600 000 000",
        external_id: "'=1+1",
        avatar: "línea\n'=2+2;'=3+3",
      },
    )
    assert.deepEqual([row['custom_fields.área'], row['custom_fields']], ['Ventas; España', '{"otra":"ñ"}'])
  })

  it('shows accesses with the names of users and products', () => {
    const columns = SPREADSHEET_ACCESS_COLUMNS
    const rows = open('product_accesses', [[...columns], toAccessCells(ACCESS, columns)])
    assert.equal(rows.length, 1)
    const [row = {}] = rows
    assert.deepEqual(Object.keys(row), [...columns])
    assert.deepEqual(
      [row['user_name'], row['user_email'], row['product_slug'], row['concept_grade'], row['status']],
      [`${NAME} ${LAST_NAME}`, ACCESS.user_email, ACCESS.product_slug, ACCESS.concept_grade, ACCESS.status],
    )
  })
})
