/** Measures how long the first hits of a search take, from the last key to the row on the screen. */
import type { Locator, Page } from 'playwright-core'
import { personOf } from './people.ts'
import { STORE } from './school.ts'

/** A fast typist: the console shows a list once nothing was typed for longer than this. */
const KEY_MS = 60
const SAMPLES = 20
const PASTED = 'a whole name, pasted'
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
  const kinds: Record<string, string[]> = {
    'a first and a last name': people.map(({ name, last_name }) => `${name} ${last_name.split(' ')[0]}`),
    'a whole name': people.map(({ name, last_name }) => `${name} ${last_name}`),
    // Another text than before, whose result the console would still have.
    [PASTED]: people.map(({ name, last_name }) => `${last_name} ${name}`),
    'the beginning of an email': people.map(({ email }) => email.split('@')[0] ?? ''),
  }
  await page.goto(`${origin}/console#/s/${STORE}/users`)
  const found: SearchTimes[] = []
  for (const [what, texts] of Object.entries(kinds)) {
    const times: number[] = []
    for (const text of texts) times.push(await timeOf(page, text, what === PASTED ? paste : type))
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

const paste = (box: Locator, text: string) => box.fill(text)
const type = (box: Locator, text: string) => box.pressSequentially(text, { delay: KEY_MS })

async function timeOf(page: Page, text: string, enter: typeof type): Promise<number> {
  const box = page.getByLabel('Find users')
  await box.fill('')
  await page.getByText('Newest first').waitFor()
  await page.locator('table[aria-busy=false]').waitFor()
  await box.evaluate(watchFirstHit, text)
  await enter(box, text)
  await page.waitForFunction(() => document.documentElement.dataset['firstHit'] !== undefined)
  return Math.round(Number(await page.locator('html').getAttribute('data-first-hit')))
}

/** Runs in the browser. The list shows the newest users before, so a row only counts if it has every word of the text. */
function watchFirstHit(box: HTMLElement | SVGElement, text: string): void {
  const fold = (given: string) => given.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = fold(text).split(' ')
  delete document.documentElement.dataset['firstHit']
  let lastKey: number | undefined
  const observer = new MutationObserver(check)
  box.addEventListener('input', noteLastKey)
  function noteLastKey() {
    if (!(box instanceof HTMLInputElement) || box.value !== text) return
    lastKey = performance.now()
    // The list of an earlier letter may have the row already. Then nothing may change any more.
    check()
  }
  function check() {
    if (lastKey === undefined) return
    const rows = Array.from(document.querySelectorAll('tbody tr'), (row) => fold(row.textContent))
    if (!rows.some((row) => words.every((word) => row.includes(word)))) return
    observer.disconnect()
    box.removeEventListener('input', noteLastKey)
    const typedAt = lastKey
    requestAnimationFrame(() => {
      document.documentElement.dataset['firstHit'] = String(performance.now() - typedAt)
    })
  }
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })
}
