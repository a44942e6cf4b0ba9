/** Checks with axe-core whether a page works with a keyboard and a screen reader. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Exception {
  rule: string
  /** The only elements in which the rule may find a violation. */
  selector: string
}

/** Throws if axe-core finds a serious or critical violation on the page that is not among the exceptions. */
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
  assert.deepEqual(found, [], `serious violations on ${screen}`)
}
