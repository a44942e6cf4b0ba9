/** What an import says while it waits and when it fails: nothing of the engine's English may appear. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { dueDateOf } from '../../import/due-dates.ts'
import type { FileProblem } from '../../import/file-error.ts'
import { problemText } from '../src/screens/import/problem-text.ts'
import { waitText } from '../src/screens/import/wait-text.ts'
import { en } from '../src/words/en.ts'
import { es } from '../src/words/es.ts'
import { pt } from '../src/words/pt.ts'
import { assertPageIsAccessible, createFixture, openConsole } from './service.ts'

async function choose(page: Page, content: string | Buffer, name = 'people.csv'): Promise<void> {
  const buffer = typeof content === 'string' ? Buffer.from(content) : content
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer })
}

type Answer = Parameters<Route['fulfill']>[0]

/** Answers the batches of the page one after another. The later ones reach the service. */
async function answerBatches(page: Page, ...answers: Answer[]): Promise<void> {
  await page.route('**/users/batch', (route) => {
    const answer = answers.shift()
    return answer === undefined ? route.continue() : route.fulfill(answer)
  })
}

const PERSON = 'name,last_name,email\nAna,Gil,ana@example.com\n'

describe('an import that waits', () => {
  it('says why in Spanish', async () => {
    const { token, store, api } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/import`, {
      language: 'es-ES',
      expected: ['429', '503'],
    })
    const headers = { 'retry-after': '2', 'content-type': 'application/json' }
    const rejected = { results: [{ status: 429, error: { code: 'rate_limited', message: 'Too many.' } }] }
    await answerBatches(
      page,
      { status: 429, headers, body: '{}' },
      { status: 503, headers, body: '{}' },
      { status: 200, headers, body: JSON.stringify(rejected) },
    )
    await choose(page, PERSON)
    await page.getByRole('button', { name: 'Importar', exact: true }).click()
    for (const reason of [
      'el servicio recibe demasiadas solicitudes',
      'el servicio tiene un problema (503)',
      'el servicio todavía no acepta algunas filas',
    ]) {
      // Two seconds at least, because the response says so. Retries after the first one may wait longer, at random.
      const text = page.getByRole('status').getByText(`En espera: ${reason}. Próximo intento en `)
      assert.match(await text.innerText(), / en [2-9] s\.$/)
    }
    await page.getByRole('heading', { name: 'Importación terminada' }).waitFor()
    await done()
    assert.equal((await api('GET', '/users')).data.length, 1)
  })

  it('has a text for every reason of the engine', () => {
    assert.deepEqual(
      [
        waitText({ code: 'status', status: 429 }, pt),
        waitText({ code: 'status', status: 502 }, pt),
        waitText({ code: 'no_answer', cause: 'Failed to fetch' }, pt),
        waitText({ code: 'timeout', seconds: 60 }, pt),
        waitText({ code: 'not_json' }, pt),
        waitText({ code: 'rows' }, pt),
      ],
      [
        'o serviço recebe requisições demais',
        'o serviço está com um problema (502)',
        'o serviço não responde',
        'o serviço demora demais para responder',
        'não foi possível ler a resposta',
        'o serviço ainda não aceita algumas linhas',
      ],
    )
  })
})

describe('a wrong correction of the encoding', () => {
  it('says in Spanish where the file is not UTF-8, and keeps the file as it was read before', async () => {
    const { token, store, api } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/import`, { language: 'es-ES' })
    await choose(page, Buffer.from('Nombre;Apellidos;Correo\r\nJosé;Muñoz;jose@example.com\r\n', 'latin1'))
    await page.getByLabel('Campo para «Apellidos»').selectOption({ label: 'Ignorar' })
    await page.getByLabel('Codificación').selectOption('UTF-8')
    const alert = page.getByRole('alert')
    await alert.getByText('Así no se puede leer el archivo, que se sigue leyendo como antes').waitFor()
    await alert
      .getByText('Línea 2: El carácter 4 no es UTF-8. Hay que elegir otra codificación.', { exact: true })
      .waitFor()
    assert.equal(await page.getByLabel('Codificación').inputValue(), 'windows-1252')
    assert.equal(await page.getByLabel('Campo para «Apellidos»').inputValue(), '')
    await assertPageIsAccessible(page)
    await page.getByLabel('Separador').selectOption('Coma')
    await page.getByLabel('Campo para «Nombre;Apellidos;Correo»').waitFor()
    assert.equal(await alert.count(), 0)
    await page.getByLabel('Separador').selectOption('Punto y coma')
    // What was chosen for a heading is kept, so the column is still ignored, and nothing can be imported without it.
    const column = page.getByLabel('Campo para «Apellidos»')
    await column.waitFor()
    assert.equal(await column.inputValue(), '')
    assert.equal(await page.getByRole('button', { name: 'Importar', exact: true }).isDisabled(), true)
    await column.selectOption('last_name')
    await page.getByRole('button', { name: 'Importar', exact: true }).click()
    await page.getByRole('heading', { name: 'Importación terminada' }).waitFor()
    await done()
    assert.equal((await api('GET', '/users')).data[0].last_name, 'Muñoz')
  })
})

describe('a heading that two columns have', () => {
  it('is reported in Spanish before the import, unless it is ignored', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/import`, { language: 'es-ES' })
    await choose(page, 'Nombre,Apellidos,Correo,Teléfono,Teléfono\nAna,Gil,ana@example.com,1,2\n')
    const note = page.getByText('Varias columnas del archivo tienen el mismo encabezado: Teléfono.')
    await note.waitFor()
    const start = page.getByRole('button', { name: 'Importar', exact: true })
    assert.equal(await start.isDisabled(), true)
    await page.getByLabel('Campo para «Teléfono»').selectOption({ label: 'Ignorar' })
    await note.waitFor({ state: 'detached' })
    assert.equal(await start.isDisabled(), false)
    await done()
  })
})

describe('an import that stops', () => {
  it('says in Spanish that the service rejects it', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/import`, { language: 'es-ES', expected: ['403'] })
    const body = JSON.stringify({ code: 'store_suspended', message: 'The store is suspended.' })
    await answerBatches(page, { status: 403, contentType: 'application/json', body })
    await choose(page, PERSON)
    await page.getByRole('button', { name: 'Importar', exact: true }).click()
    await page.getByRole('alert').getByText('La tienda está suspendida.', { exact: true }).waitFor()
    await done()
  })

  it('says in Portuguese which field appears too late in a file of NDJSON', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/import`, { language: 'pt-BR' })
    const person = '{"name":"Ana","last_name":"Gil","email":"ana@example.com"}\n'
    await choose(page, `${person.repeat(200)}{"apelido_novo":1}\n`, 'people.ndjson')
    await page.getByRole('button', { name: 'Importar', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText('Linha 201: O campo “apelido_novo” aparece aqui pela primeira vez')
      .waitFor()
    await done()
  })

  it('names words for an access without a due date that the import accepts', () => {
    for (const { import: texts } of [en, es, pt]) {
      assert.ok(texts.rowProblems.not_date.includes(texts.noLimit))
      assert.deepEqual(dueDateOf(texts.noLimit, { zone: 'UTC' }), { date: null })
    }
  })

  it('has a text for every error of the engine', () => {
    const file = (problem: FileProblem) => problemText({ code: 'file', line: 7, problem }, pt)
    assert.deepEqual(
      [
        problemText({ code: 'gave_up', reason: { code: 'timeout', seconds: 60 }, minutes: 10 }, pt),
        problemText({ code: 'refused', reason: { code: 'response', status: 401, error: 'invalid_token' } }, pt),
        problemText({ code: 'refused', reason: { code: 'response', status: 401, error: 'access_ended' } }, pt),
        problemText({ code: 'refused', reason: { code: 'response', status: 302, error: '' } }, pt),
        problemText({ code: 'refused', reason: { code: 'response', status: 302, error: '', ray: '8f-LIS' } }, pt),
        problemText({ code: 'refused', reason: { code: 'results', results: 1, rows: 2 } }, pt),
        problemText({ code: 'refused', reason: { code: 'missing_scopes', scopes: ['users:read'] } }, pt),
        file({ code: 'utf16' }),
        file({ code: 'not_encoding', encoding: 'utf-16be', character: 3, byte: 'd8' }),
        file({ code: 'unknown_column', column: 1, name: 'x', known: [] }),
        file({ code: 'repeated_column', column: 2, name: 'x', first: 1 }),
        file({ code: 'missing_column', field: 'email' }),
        file({ code: 'quote_not_closed', column: 1 }),
        file({ code: 'malformed', column: 1, message: 'Invalid Record Length' }),
      ],
      [
        'Sem sucesso durante 10 minutos: o serviço demora demais para responder.',
        'O serviço não aceita mais a sua sessão.',
        'Sua sessão terminou',
        'Não foi possível ler a resposta. Um programa entre o seu navegador e o serviço pode tê-la alterado.',
        'Não foi possível ler a resposta. Um programa entre o seu navegador e o serviço pode tê-la alterado. (CF-Ray: 8f-LIS)',
        'A resposta do serviço não confere. Resultados: 1; linhas: 2.',
        'Quem entrou aqui não pode importar usuários para esta loja.',
        'O arquivo não é UTF-8, e sim UTF-16.',
        'Linha 7: O arquivo não é UTF-16, ordem inversa: o caractere 3 não existe ali. Escolha outra codificação.',
        'Linha 7: A coluna “x” não pode ser importada. Dê outro nome a ela no arquivo.',
        'Linha 7: Há mais de uma coluna para “x”.',
        'Linha 7: Obrigatório, mas sem coluna escolhida: E-mail.',
        'Linha 7: Uma aspa é aberta aqui e nunca fechada.',
        'Linha 7: A linha não é CSV válido.',
      ],
    )
  })
})
