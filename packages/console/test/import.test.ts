import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { workbookOf } from './workbook.ts'
import { assertPageIsAccessible, createFixture, openConsole, type Fixture } from './service.ts'

const PEOPLE = `Nombre,Apellidos,Correo electrónico,radio station,curso,vencimiento,Notas
Hedy,Lamarr,hedy@example.com,WKCR,engines,2027-12-31T23:59:59Z,x
Emmy,Noether,emmy@example,,engines,none,y
Mary,Somerville,mary@example.com,,engine,none,z
`

async function createSchool(role: 'admin' | 'viewer' = 'admin', timeZone = 'UTC'): Promise<Fixture> {
  const fixture = await createFixture(role, { time_zone: timeZone })
  await fixture.api('PUT', '/custom_fields/radio_station', { label: 'Radio station' })
  await fixture.api('POST', '/products', { name: 'Engines', slug: 'engines', type: 'course' })
  return fixture
}

async function choose(page: Page, content: string | Buffer, name = 'people.csv'): Promise<void> {
  const buffer = typeof content === 'string' ? Buffer.from(content) : content
  await page.getByLabel('Choose a file').setInputFiles({ name, mimeType: '', buffer })
}

/** Returns the count with this label below the progress of the import. */
function count(page: Page, label: string) {
  return page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd')
}

function manyPeople(n: number): string {
  const rows = Array.from({ length: n }, (_, i) => `Ana,Person ${i},ana${i}@example.com`)
  return `name,last_name,email\n${rows.join('\n')}\n`
}

async function countUsers({ api }: Fixture): Promise<number> {
  let [total, after] = [0, '']
  do {
    const page = await api('GET', `/users?limit=100${after && `&after=${after}`}`)
    total += page.data.length
    after = page.next ?? ''
  } while (after !== '')
  return total
}

describe('the import of a file', () => {
  it('names a custom field in the preview by its label, not by its key', async () => {
    const { token, store } = await createSchool()
    const { page, done } = await openConsole(token, `/s/${store}/import`)
    await choose(page, PEOPLE)
    await page.getByRole('term').filter({ hasText: 'Radio station' }).first().waitFor()
    assert.equal(await page.getByRole('term').filter({ hasText: 'radio_station' }).count(), 0)
    await done()
  })

  it('recognizes Spanish names of columns, and lets the operator change the mapping', async () => {
    const { token, store } = await createSchool('admin', 'America/Bogota')
    const { page, done } = await openConsole(token, `/s/${store}/import`)
    await choose(page, PEOPLE.replace(',engine,none,', ',engines,2028-01-01T04:59:59Z,'))
    const holds = (column: string) => page.getByLabel(`Field for "${column}"`)
    const values = await Promise.all(
      ['Nombre', 'Apellidos', 'Correo electrónico', 'radio station', 'curso', 'vencimiento', 'Notas'].map((column) =>
        holds(column).inputValue(),
      ),
    )
    assert.deepEqual(values, [
      'name',
      'last_name',
      'email',
      'custom_fields.radio_station',
      'product',
      'product_due_date',
      '',
    ])
    // The last second of a day in Bogotá is shown as the day alone, any other as a time there.
    await page.getByText('Engines · until Dec 31, 2027, 6:59 PM', { exact: true }).waitFor()
    await page.getByText('Engines · until Dec 31, 2027', { exact: true }).waitFor()
    await holds('Apellidos').selectOption({ label: 'Ignore' })
    await page.getByText('Required, but no column is chosen: Last name.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled(), true)
    await holds('Notas').selectOption({ label: 'Last name *' })
    await page.getByText('Required, but no column is chosen').waitFor({ state: 'detached' })
    await done()
  })

  it('checks a file without importing it, imports it, and offers the failed lines for correction', async () => {
    const fixture = await createSchool()
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/import`)
    await choose(page, PEOPLE)
    await page.getByRole('button', { name: 'Check without importing' }).click()
    await page.getByRole('heading', { name: 'Check finished' }).waitFor()
    assert.equal(await count(page, 'Would be created').textContent(), '1')
    assert.equal(await count(page, 'Would fail').textContent(), '2')
    await page.getByText('curso: engine: The store has no such product.').waitFor()
    assert.equal(await countUsers(fixture), 0)
    await assertPageIsAccessible(page)

    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    assert.equal(await count(page, 'Created').textContent(), '1')
    const { data } = await fixture.api('GET', '/users')
    assert.deepEqual(
      data.map(({ email, custom_fields }: any) => [email, custom_fields]),
      [['hedy@example.com', { radio_station: 'WKCR' }]],
    )

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV file' }).click()
    const download = await downloading
    assert.equal(download.suggestedFilename(), 'people.csv.failed.csv')
    const failed = readFileSync(await download.path(), 'utf8')
    assert.match(
      failed,
      /^Nombre,.*,Notas,_line,_errors\r\nEmmy,.*,3,"Correo electrónico: Enter an email address, such as ana@example\.com\."\r\nMary/,
    )

    await page.getByRole('button', { name: 'Choose another file' }).click()
    await choose(page, failed.replace('emmy@example,', 'emmy@example.com,').replace(',engine,', ',engines,'))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    assert.equal(await count(page, 'Created').textContent(), '2')
    assert.equal(await countUsers(fixture), 3)
    await done()
  })

  it('imports a workbook of Excel, lists its faulty rows in the operator’s language, and imports the others', async () => {
    const fixture = await createSchool()
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/import`, { language: 'es-ES' })
    const head = ['Nombre', 'Apellidos', 'Correo', 'País', 'Curso', 'Teléfono']
    const people = Buffer.from(
      workbookOf({
        Notas: [['nada']],
        Alumnos: [
          head,
          ['José', 'Muñoz', 'jose@example.com', 'España', 'engines', 34_600_111_222],
          ['Ana', 'Gil', 'ana@example.com', 'Spain'],
          ['Sin correo', 'Gil', 'nada'],
          ['', 'Gil', 'vacio@example.com'],
          ['País', 'Raro', 'pais@example.com', 'Atlantis'],
          ['Curso', 'Raro', 'curso@example.com', 'ES', 'engine'],
          ['Otra', 'Ana', 'ANA@example.com'],
        ],
      }),
    )
    const input = page.locator('input[type=file]')
    await input.setInputFiles({ name: 'alumnos.xlsx', mimeType: '', buffer: people })
    await page.getByLabel('Hoja').selectOption('Alumnos')
    await page.getByRole('button', { name: 'Importar', exact: true }).click()
    await page.getByRole('heading', { name: 'Importación terminada' }).waitFor()
    for (const text of [
      'Correo: Escribir una dirección de correo, como ana@example.com.',
      'Nombre: Este campo es obligatorio.',
      'País: Elegir un país; en un archivo, su nombre o sus dos letras, como ES.',
      'Curso: engine: La tienda no tiene este producto.',
      'Correo: Repetido en la fila 3.',
    ])
      await page.getByText(text).waitFor()
    await assertPageIsAccessible(page)
    await done()
    const { data } = await fixture.api('GET', '/users')
    assert.deepEqual(
      data.map(({ name, country, phone }: any) => [name, country, phone]),
      [
        ['José', 'ES', '34600111222'],
        ['Ana', 'ES', undefined],
      ],
    )
  })

  it('recognizes the encoding and the separator of a CSV file of Excel, and lets the operator correct them', async () => {
    const fixture = await createSchool()
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/import`)
    await choose(page, Buffer.from('Nombre;Apellidos;Correo\r\nJosé;Muñoz;jose@example.com\r\nAna;Gil\r\n', 'latin1'))
    await page.getByText(/Are the accents right/).waitFor()
    assert.equal(await page.getByLabel('Encoding').inputValue(), 'windows-1252')
    assert.equal(await page.getByLabel('Separator').inputValue(), ';')
    await page.getByRole('cell', { name: 'Muñoz' }).waitFor()
    await assertPageIsAccessible(page)
    await page.getByLabel('Separator').selectOption('Comma')
    await page.getByLabel('Field for "Nombre;Apellidos;Correo"').waitFor()
    await page.getByLabel('Separator').selectOption('Semicolon')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    await page.getByText('The row has more or fewer values than the row with the headings.').waitFor()
    await done()
    assert.equal((await fixture.api('GET', '/users')).data[0].last_name, 'Muñoz')
  })

  it('imports NDJSON, and updates only the given fields of existing users', async () => {
    const fixture = await createSchool()
    await fixture.api('POST', '/users', {
      name: 'Ada',
      last_name: 'Byron',
      email: 'ada@example.com',
      phone: '+34600000000',
    })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/import`)
    const ada = { nome: 'Ada', sobrenome: 'Lovelace', 'e-mail': 'ADA@example.com', 'Radio station': 'BBC' }
    await choose(page, `${JSON.stringify(ada)}\n`, 'people.ndjson')
    await page.getByLabel('Update', { exact: true }).check()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    assert.equal(await count(page, 'Changed').textContent(), '1')
    const { data } = await fixture.api('GET', '/users')
    const [{ last_name, phone, custom_fields }] = data
    assert.deepEqual(
      { last_name, phone, custom_fields },
      {
        last_name: 'Lovelace',
        phone: '+34600000000',
        custom_fields: { radio_station: 'BBC' },
      },
    )
    await done()
  })

  it('says why no file can be chosen while the custom fields cannot be read, and tries again', async () => {
    const { token, store } = await createSchool()
    const { page, done } = await openConsole(token, `/s/${store}/products`, { expected: ['500'] })
    await page.getByRole('cell', { name: 'Engines', exact: true }).waitFor()
    await page.route('**/custom_fields?*', (route) =>
      route.fulfill({ status: 500, headers: { 'Retry-After': '60' }, json: { code: 'internal_error', message: '' } }),
    )
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByRole('alert').getByText('The service failed.').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await choose(page, PEOPLE)
    await page.getByRole('term').filter({ hasText: 'Radio station' }).first().waitFor()
    await done()
  })

  it('does not send rows again that another tab has imported since this one chose the file', async () => {
    const fixture = await createSchool()
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/import`)
    await choose(page, manyPeople(3))
    await page.getByRole('button', { name: 'Check without importing' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await choose(other, manyPeople(3))
    await other.getByRole('button', { name: 'Import', exact: true }).click()
    await other.getByRole('heading', { name: 'Import finished' }).waitFor()

    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('The import of this file has changed in another tab.').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    assert.equal(await count(page, 'Created').textContent(), '3')
    assert.equal(await count(page, 'Failed').textContent(), '0')

    await other.getByRole('button', { name: 'Choose another file' }).click()
    await choose(other, manyPeople(3))
    await other.getByRole('button', { name: 'Read the file again' }).click()
    await other.getByRole('button', { name: 'Check without importing' }).waitFor()
    await done()
  })

  it('shows the line where a file cannot be read', async () => {
    const { token, store } = await createSchool()
    const { page, done } = await openConsole(token, `/s/${store}/import`)
    await choose(page, 'name,last_name,email\nAda,"Love"lace,ada@example.com\n')
    await page.getByRole('alert').getByText('Line 2: There is text after a closing quote.').waitFor()
    await done()
  })

  it('continues a paused import after the tab was closed and the same file is chosen again', async () => {
    const fixture = await createSchool()
    const first = await openConsole(fixture.token, `/s/${fixture.store}/import`)
    const people = `${manyPeople(300)}Zoe,Last,zoe@example\n`
    await choose(first.page, people)
    // The third batch waits until the import is paused.
    let batches = 0
    await first.page.route('**/users/batch', (route) => (batches++ < 2 ? route.continue() : undefined))
    await first.page.getByRole('button', { name: 'Import', exact: true }).click()
    await first.page.getByText(/200 of 301 rows · .* rows per second · .* left/).waitFor()
    await first.page.getByRole('button', { name: 'Pause' }).click()
    await first.page.getByRole('heading', { name: 'Import paused' }).waitFor()
    await first.page.unroute('**/users/batch')
    assert.equal(
      await first.page.evaluate(() => JSON.stringify([localStorage, sessionStorage]).includes('example')),
      false,
    )
    // The reload stands for a tab that is closed and opened again.
    await first.page.reload()
    await first.page.getByText('It is not finished. To continue, choose the same file again.').waitFor()
    await choose(first.page, people)
    await first.page.getByText(/of 301 rows are processed/).waitFor()
    await assertPageIsAccessible(first.page)
    await first.page.getByRole('button', { name: 'Continue' }).click()
    await first.page.getByRole('heading', { name: 'Import finished' }).waitFor()
    assert.equal(await count(first.page, 'Created').textContent(), '300')
    assert.equal(await count(first.page, 'Failed').textContent(), '1')
    assert.equal(await countUsers(fixture), 300)

    await first.page.getByRole('button', { name: 'Choose another file' }).click()
    await choose(first.page, people)
    await first.page.getByText('All rows are processed: 300 created, 0 already existed, 1 failed.').waitFor()
    await first.page.getByRole('button', { name: 'CSV file' }).waitFor()
    await first.page.getByRole('button', { name: 'Read the file again' }).click()
    await first.page.getByRole('button', { name: 'Check without importing' }).waitFor()
    await first.done()
  })

  it('continues the import while the operator uses other screens', async () => {
    const fixture = await createSchool()
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/import`)
    await choose(page, manyPeople(200))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('link', { name: 'Products' }).click()
    await page.getByRole('heading', { name: 'Products' }).waitFor()
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    assert.equal(await countUsers(fixture), 200)
    await done()
  })
})
