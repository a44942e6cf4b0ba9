/** What an import says while it waits and when it fails: nothing of the engine's English may appear. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { waitText } from '../src/screens/import/wait-text.ts'
import { pt } from '../src/words/pt.ts'
import { createFixture, openConsole } from './service.ts'

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
      const text = `En espera: ${reason}. Próximo intento en 2 s.`
      await page.getByRole('status').getByText(text, { exact: true }).waitFor()
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
