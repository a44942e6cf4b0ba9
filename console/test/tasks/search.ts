/** Measures how long the first hits of a search take, from the last key to the row on the screen. */
import type { Page } from 'playwright-core'
import { personOf } from './people.ts'
import { STORE } from './school.ts'

/** A fast typist. The console sends a search once nothing was typed for longer than this. */
const KEY_MS = 60
const SAMPLES = 20
/** The time in which the first hits should be on the screen. */
const GOAL_MS = 300

export interface SearchTimes {
  what: string
  median: number
  worst: number
  /** How many of all searches showed their first hit within 300 ms. */
  inTime: number
  all: number
}

/** Searches for people who are spread over the whole store. */
export async function measureSearch(page: Page, origin: string, users: number): Promise<SearchTimes[]> {
  const people = Array.from({ length: SAMPLES }, (_, k) => personOf(Math.floor(((k + 0.5) / SAMPLES) * users), users))
  const kinds = {
    'a first and a last name': people.map(({ name, last_name }) => `${name} ${last_name.split(' ')[0]}`),
    'a whole name': people.map(({ name, last_name }) => `${name} ${last_name}`),
    'the beginning of an email': people.map(({ email }) => email.split('@')[0] ?? ''),
  }
  await page.goto(`${origin}/console#/s/${STORE}/users`)
  const found: SearchTimes[] = []
  for (const [what, texts] of Object.entries(kinds)) {
    const times: number[] = []
    for (const text of texts) times.push(await timeOf(page, text))
    times.sort((a, b) => a - b)
    found.push({
      what,
      median: times[Math.floor(times.length / 2)] ?? 0,
      worst: times.at(-1) ?? 0,
      inTime: times.filter((time) => time <= GOAL_MS).length,
      all: times.length,
    })
  }
  await page.context().close()
  return found
}

async function timeOf(page: Page, text: string): Promise<number> {
  const box = page.getByLabel('Find users')
  await box.fill('')
  await page.getByText('Newest first').waitFor()
  await page.locator('table[aria-busy=false]').waitFor()
  await box.evaluate(watchFirstHit, text)
  await box.pressSequentially(text, { delay: KEY_MS })
  await page.waitForFunction(() => document.documentElement.dataset['firstHit'] !== undefined)
  return Math.round(Number(await page.locator('html').getAttribute('data-first-hit')))
}

/** Runs in the browser. The list shows the newest users before, so a row only counts if it has every word of the text. */
function watchFirstHit(box: HTMLElement | SVGElement, text: string): void {
  const fold = (given: string) => given.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = fold(text).split(' ')
  delete document.documentElement.dataset['firstHit']
  let lastKey = 0
  let isTyped = false
  box.addEventListener('input', () => {
    lastKey = performance.now()
    isTyped = box instanceof HTMLInputElement && box.value === text
  })
  const observer = new MutationObserver(() => {
    const rows = Array.from(document.querySelectorAll('tbody tr'), (row) => fold(row.textContent))
    if (!isTyped || !rows.some((row) => words.every((word) => row.includes(word)))) return
    observer.disconnect()
    requestAnimationFrame(() => {
      document.documentElement.dataset['firstHit'] = String(performance.now() - lastKey)
    })
  })
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })
}
