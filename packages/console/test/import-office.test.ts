/** A day of the office of a Spanish school: a real Excel file, its corrections, and what the browser keeps of it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readXlsx } from 'hucre/xlsx'
import type { Download, Page } from 'playwright-core'
import { writeWorkbook } from '../../import/write-workbook.ts'
import { assertPageIsAccessible, call, createFixture, openConsole } from './service.ts'
import { workbookOf } from './workbook.ts'

const ES = { language: 'es-ES', timezone: 'Europe/Madrid' }
const HEADER = ['Nombre', 'Apellidos', 'Correo electrónico', 'Teléfono', 'Curso', 'Vencimiento']
type Cell = Parameters<typeof workbookOf>[0][string][number][number]

/** A title, people with course names, days as text and numbers as phones, and what people get wrong. */
function mess(): Cell[][] {
  const rows: Cell[][] = Array.from({ length: 54 }, (_, i) => [
    `Alumno ${i}`,
    'Ruiz',
    { formula: `LOWER("A${i}@ESCUELA.ES")`, result: `a${i}@escuela.es` },
    600_111_000 + i,
    i % 2 === 0 ? 'Inglés B1' : 'frances a2',
    i % 3 === 0 ? new Date('2027-06-30T00:00:00Z') : i % 3 === 1 ? '30/06/2027' : '03/04/2027',
  ])
  return [
    ['Alumnos matriculados en 2026/27'],
    [],
    HEADER,
    ...rows,
    ['Sin', 'Correo', '', 600_222_000, 'Alemán C2', '31/02/2027'],
    ['Otra', 'Persona', 'a1@escuela.es', 600_222_001, 'Inglés B1', '30/06/2027'],
    ['Mal', 'Escrito', 'mal@escuela', 600_222_002, 'Inglés B1', '30/06/2027'],
    ['', 'Sinnombre', 'sinnombre@escuela.es', 600_222_003, 'Inglés B1', 'nunca'],
    ['Con', 'Error', 'error@escuela.es', 600_222_004, '#N/A', '30/06/2027'],
    ['Ya', 'Existe', 'ya@escuela.es', 600_222_005, 'Inglés B1', '30/06/2027'],
  ]
}

async function createSchool() {
  const fixture = await createFixture('admin', { time_zone: 'Europe/Madrid' })
  await call('PATCH', `/admin/stores/${fixture.store}`, { language: 'ES' })
  await fixture.api('POST', '/products', { name: 'Inglés B1', slug: 'ingles-b1', type: 'course' })
  await fixture.api('POST', '/products', { name: 'Francés A2', slug: 'frances-a2', type: 'course' })
  await fixture.api('PUT', '/custom_fields/grupo_2027', { label: 'Grupo' })
  await fixture.api('POST', '/users', { name: 'Yolanda', last_name: 'Quispe', email: 'ya@escuela.es' })
  return fixture
}

async function choose(page: Page, buffer: Buffer, name = 'matrícula.xlsx'): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer })
}

async function download(page: Page, name: string): Promise<Download> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).first().click()])
  return file
}

/** Returns the counts below the progress by their labels. */
async function counts(page: Page): Promise<Record<string, string>> {
  const [labels, numbers] = [
    await page.locator('dl dt').allTextContents(),
    await page.locator('dl dd').allTextContents(),
  ]
  return Object.fromEntries(labels.map((label, i) => [label, numbers[i] ?? '']).slice(-4))
}

async function importFile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Importar', exact: true }).click()
  await page.getByRole('heading', { name: 'Importación terminada' }).waitFor()
}

describe('the import of an office', () => {
  it('brings the mess of a real Excel file into the store in two rounds, and keeps a record of both', async () => {
    const { token, store, api } = await createSchool()
    const { page, done } = await openConsole(token, `/s/${store}/import`, ES)
    await choose(page, Buffer.from(workbookOf({ Hoja1: mess() })))
    assert.equal(await page.getByLabel('Fila de los encabezados').inputValue(), '3')
    assert.equal(await page.getByLabel('Fechas como 03/04/2027').inputValue(), 'dmy')
    await importFile(page)
    assert.deepEqual(await counts(page), { Creados: '54', 'Ya existían': '0', Fallidos: '6' })
    const table = page.getByRole('table', { name: 'Filas fallidas' })
    const reasons = [
      /^58\s*Sin Correo\s*Curso: Alemán C2: La tienda no tiene ningún producto.*Vencimiento: Esto no es un día\. Se escribe un día, como 30\/06\/2027, o «sin límite»\. Con la celda vacía, decide el producto\..*Correo electrónico: Este campo es obligatorio/s,
      /^59\s*Otra Persona\s*Correo electrónico: Repetido en la fila 5\.$/s,
      /^60\s*Mal Escrito/s,
      /^61\s*Sinnombre\s*Vencimiento: .*Nombre: Este campo es obligatorio/s,
      /^62\s*Con Error\s*Curso: /s,
      /^63\s*Ya Existe\s*Correo electrónico: Ya hay un usuario/s,
    ]
    const rows = await table.locator('tbody tr').allInnerTexts()
    assert.equal(rows.length, reasons.length)
    for (const [i, reason] of reasons.entries()) assert.match(rows[i] ?? '', reason)
    const existing = table.getByRole('link', { name: 'Abrir el usuario con este correo electrónico' })
    assert.match((await existing.getAttribute('href')) ?? '', /\/users\/\d+$/)
    await assertPageIsAccessible(page)

    // The office corrects the workbook.
    const failed = await download(page, 'Archivo de Excel (.xlsx)')
    assert.equal(failed.suggestedFilename(), 'matrícula.xlsx.failed.xlsx')
    const { sheets } = await readXlsx(readFileSync(await failed.path()))
    const [header = [], ...wrong] = sheets[0]?.rows ?? []
    assert.deepEqual(header, ['Fila del archivo', 'Qué corregir', ...HEADER])
    assert.deepEqual(wrong[1]?.[7], new Date('2027-06-30T00:00:00Z'))
    const corrected = wrong.slice(0, 5).map((cells, i) => {
      const [, , name, , , phone] = cells
      const texts = ['', '', name || 'Ana', 'Gil', `b${i}@escuela.es`, phone, 'Inglés B1', '2027-06-30']
      return texts.map((text) => ({ text: String(text) }))
    })
    const again = await writeWorkbook({ name: 'Hoja1', header: header.map(String), rows: corrected })
    await page.getByRole('button', { name: 'Elegir otro archivo' }).click()
    await choose(page, Buffer.from(again), 'corregido.xlsx')
    await importFile(page)
    assert.deepEqual(await counts(page), { Creados: '5', 'Ya existían': '0', Fallidos: '0' })

    await page.getByRole('button', { name: 'Elegir otro archivo' }).click()
    await page.getByRole('button', { name: 'Detalles de la importación de matrícula.xlsx' }).click()
    await page.getByRole('link', { name: 'Alumno 7 Ruiz' }).waitFor()
    await page.getByText('Ya Existe').waitFor()
    await page.getByRole('button', { name: 'Eliminar el registro de la importación de matrícula.xlsx' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Eliminar', exact: true }).click()
    await page.getByText('Ya Existe').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('corregido.xlsx').waitFor()
    assert.equal(await page.getByText('matrícula.xlsx').count(), 0)
    await done()

    const { data } = await api('GET', '/product_accesses?limit=100')
    const dues = new Set(data.map(({ access_due_date }: any) => access_due_date))
    assert.deepEqual([data.length, dues], [59, new Set(['2027-06-30T21:59:59.999Z', '2027-04-03T21:59:59.999Z'])])
    const [first] = data
    assert.deepEqual(first.product.slug, 'ingles-b1')
  })

  it('keeps the fields that were chosen by hand for the next file, such as that of the failed rows', async () => {
    const { token, store } = await createSchool()
    const { page, done } = await openConsole(token, `/s/${store}/import`, ES)
    const field = (column: string) => page.getByRole('row', { name: new RegExp(`^${column}`) }).getByRole('combobox')
    await choose(
      page,
      Buffer.from('Nombre;Apellidos;Correo;Clave interna;Nº matrícula\r\nAna;Gil;a@b.es;K1;7\r\n'),
      'a.csv',
    )
    assert.equal(await field('Nº matrícula').inputValue(), 'external_id')
    await field('Clave interna').selectOption('ID externo')
    await page.getByRole('button', { name: 'Elegir otro archivo' }).click()
    await choose(page, Buffer.from('Correo;Clave interna;Nº matrícula\r\na@b.es;K2;8\r\n'), 'b.csv')
    assert.equal(await field('Clave interna').inputValue(), 'external_id')
    assert.equal(await field('Nº matrícula').inputValue(), '')
    await done()
  })

  it('asks once for a product that the store does not have, and lets a name be split otherwise', async () => {
    const { token, store, api } = await createSchool()
    const { page, done } = await openConsole(token, `/s/${store}/import`, ES)
    const people = [
      'Nombre completo;Correo;Curso',
      'José Carlos Dias;jose@escuela.es;Inlgés B1',
      'Ana Gil;ana@escuela.es;Inlgés B1',
      'Yolanda Quispe;YA@escuela.es;Francés A2',
    ]
    await choose(page, Buffer.from(people.join('\r\n')), 'alumnos.csv')
    await page.getByText('Inlgés B1 · 2 filas').waitFor()
    await page.getByLabel('Producto para «Inlgés B1»').selectOption('Inglés B1')
    await page.getByLabel('Nombre en la fila 2').selectOption('José Carlos')
    await assertPageIsAccessible(page)
    await page.getByLabel('Solo actualizar, sin crear a nadie').check()
    await page.getByRole('button', { name: 'Comprobar sin importar' }).click()
    await page.getByRole('heading', { name: 'Comprobación terminada' }).waitFor()
    assert.deepEqual(await counts(page), {
      'Omitidos por ser nuevos': '2',
      Cambiarían: '1',
      'Ya existían, sin cambios': '0',
      Fallarían: '0',
    })
    await page.getByLabel('Actualizarlos', { exact: true }).check()
    await importFile(page)
    await done()
    const { data } = await api('GET', '/product_accesses?order=asc')
    assert.deepEqual(
      data.map(({ user, product }: any) => [user.name, user.last_name, user.email, product.slug]),
      [
        ['José Carlos', 'Dias', 'jose@escuela.es', 'ingles-b1'],
        ['Ana', 'Gil', 'ana@escuela.es', 'ingles-b1'],
        ['Yolanda', 'Quispe', 'ya@escuela.es', 'frances-a2'],
      ],
    )
  })

  it('shows how every whole name is split, those to check first, and how broken letters look', async () => {
    const { token, store, api } = await createSchool()
    const { page, done } = await openConsole(token, `/s/${store}/import`, ES)
    const names = Array.from({ length: 110 }, (_, i) => (i === 105 ? 'María José de la Cruz' : `Ana Gil${i}`))
    const rows = names.map((name, i) => `${name};p${i}@escuela.es;${i === 1 ? 'MuÃ±oz' : ''}`)
    await choose(page, Buffer.from(['Nombre completo;Correo;Grupo', ...rows].join('\r\n')), 'nombres.csv')
    await page.getByText('Hay letras que parecen estropeadas, como en «MuÃ±oz».').waitFor()
    const table = page.getByRole('table', { name: 'Cómo se dividen los nombres completos' })
    await page.getByText('Conviene revisar 1 de 110 nombres').waitFor()
    assert.equal(await table.locator('tbody tr').count(), 50)
    assert.match((await table.locator('tbody tr').first().innerText()) ?? '', /^107\s/)
    await page.getByLabel('Nombre en la fila 107').selectOption('María José')
    await assertPageIsAccessible(page)
    const pages = page.getByRole('navigation', { name: 'Cómo se dividen los nombres completos' })
    await pages.getByText('Página 1 de 3').waitFor()
    await page.getByLabel('Primero los que conviene revisar').uncheck()
    assert.match((await table.locator('tbody tr').first().innerText()) ?? '', /^2\s/)
    await pages.getByRole('button', { name: 'Página siguiente' }).click()
    await pages.getByRole('button', { name: 'Página siguiente' }).click()
    assert.equal(await table.locator('tbody tr').count(), 10)
    assert.equal(await page.getByLabel('Nombre en la fila 107').inputValue(), '1')
    await importFile(page)
    await done()
    const { data } = await api('GET', '/users?email=p105@escuela.es')
    assert.deepEqual([data[0].name, data[0].last_name], ['María José', 'de la Cruz'])
  })

  it('shows what an update changes before it does, and keeps the values that it has replaced', async () => {
    const { token, store, api } = await createSchool()
    const { page, done } = await openConsole(token, `/s/${store}/import`, ES)
    const people =
      'Nombre;Apellidos;Correo;Grupo;Curso;Vencimiento\r\nAránzazu;Sempere;ya@escuela.es;B;ingles-b1;15/01/2027\r\nAna;Gil;ana@escuela.es;;;\r\n'
    await choose(page, Buffer.from(people), 'alumnos.csv')
    await page.getByLabel('Actualizarlos', { exact: true }).check()
    await page.getByRole('button', { name: 'Comprobar sin importar' }).click()
    await page.getByText('Yolanda Quispe → Aránzazu Sempere').waitFor()
    // As people write it: the name of the product, the day, and one access in the singular.
    await page.getByText('Inglés B1: se concedería (15 ene 2027)').waitFor()
    await page.getByText('Grupo: nada → B').waitFor()
    await page.getByRole('heading', { name: 'Comprobación terminada' }).waitFor()
    const expected = { 'Se crearían': '1', Cambiarían: '1', 'Ya existían, sin cambios': '0', Fallarían: '0' }
    assert.deepEqual(await counts(page), expected)
    await assertPageIsAccessible(page)
    const before = await download(page, 'Como estaban (.xlsx)')
    const { sheets } = await readXlsx(readFileSync(await before.path()))
    assert.deepEqual(
      sheets[0]?.rows.map((row) => row.slice(0, 3)),
      [
        ['Nombre', 'Apellidos', 'Correo'],
        ['Yolanda', 'Quispe', 'ya@escuela.es'],
      ],
    )
    assert.equal((await api('GET', '/users?email=ya@escuela.es')).data[0].name, 'Yolanda')

    // The service applies the batch, and its response is lost. When it is sent again, the person has the new name already.
    const isApplied = new Promise<void>((resolve) => {
      void page.route('**/users/batch', async (route) => {
        if (route.request().postDataJSON().dry_run) return route.continue()
        await route.fetch()
        resolve()
      })
    })
    await page.getByRole('button', { name: 'Importar', exact: true }).click()
    await isApplied
    await page.getByRole('button', { name: 'Pausar' }).click()
    await page.getByRole('heading', { name: 'Importación en pausa' }).waitFor()
    await page.unroute('**/users/batch')
    await page.reload()
    await choose(page, Buffer.from(people), 'alumnos.csv')
    await page.getByRole('button', { name: 'Continuar' }).click()
    await page.getByRole('heading', { name: 'Importación terminada' }).waitFor()
    assert.deepEqual(await counts(page), {
      Creados: '1',
      Cambiados: '1',
      'Ya existían, sin cambios': '0',
      Fallidos: '0',
    })
    await page.reload()
    await page.getByRole('button', { name: 'Detalles de la importación de alumnos.csv' }).click()
    await page.getByText('Yolanda Quispe → Aránzazu Sempere').waitFor()

    // After 30 days, the browser forgets it, whatever screen is opened.
    await page.evaluate(async () => {
      const request = indexedDB.open('registrar-imports')
      await new Promise((resolve) => request.addEventListener('success', resolve))
      const runs = request.result.transaction('runs', 'readwrite').objectStore('runs')
      const all = runs.getAll()
      await new Promise((resolve) => all.addEventListener('success', resolve))
      const put = runs.put({ ...all.result[0], savedAt: Date.now() - 31 * 86_400_000 })
      await new Promise((resolve) => put.addEventListener('success', resolve))
      request.result.close()
    })
    await page.reload()
    await page.getByText('alumnos.csv').waitFor({ state: 'detached' })
    await page.getByText('Soltar aquí un archivo con usuarios').waitFor()
    assert.equal(await page.getByText('alumnos.csv').count(), 0)
    await done()
  })

  it('says how to save an old workbook', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/import`, ES)
    await choose(page, Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'alumnos.xls')
    await page.getByRole('alert').getByText('Hay que abrirlo y guardarlo como libro de Excel (.xlsx).').waitFor()
    await done()
  })
})
