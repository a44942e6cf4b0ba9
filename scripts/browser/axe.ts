/** What a reader with a keyboard or a screen reader stumbles over, as axe-core finds it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Exception {
  rule: string
  /** Which elements alone the rule may find. */
  selector: string
}

/** Throws when axe-core finds anything serious or critical on the page as it is, the exceptions apart. */
export async function assertAccessible(page: Page, screen: string, exceptions: Exception[] = []): Promise<void> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })")
  const found: string[] = []
  for (const { id, impact, nodes } of violations) {
    if (impact !== 'serious' && impact !== 'critical') continue
    const known = exceptions.filter(({ rule }) => rule === id).map(({ selector }) => selector)
    for (const { target, html, failureSummary } of nodes) {
      const element = page.locator(target.join(' ')).first()
      const isKnown = await element.evaluate(
        (node, selectors) => selectors.some((selector) => node.matches(selector)),
        known,
      )
      if (!isKnown) found.push(`${id}: ${html}\n${failureSummary}`)
    }
  }
  assert.deepEqual(found, [], `serious on ${screen}`)
}
