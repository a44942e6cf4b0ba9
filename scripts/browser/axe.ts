/** Checks with axe-core whether a page works with a keyboard and a screen reader. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Exception {
  rule: string
  /** The only elements in which the rule may find a violation. */
  selector: string
}

/** The script that is evaluated in the page defines it. */
declare const axe: { run: (options: RunOptions) => Promise<AxeResults> }

/** Throws if axe-core finds a serious or critical violation on the page that is not among the exceptions. */
export async function assertAccessible(page: Page, screen: string, exceptions: Exception[] = []): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  assert.deepEqual(await page.evaluate(findViolations, exceptions), [], `serious violations on ${screen}`)
}

/** Runs in the page as a whole: an element that axe-core has found may be gone when a second call asks for it. */
async function findViolations(exceptions: Exception[]): Promise<string[]> {
  const { violations } = await axe.run({ resultTypes: ['violations'], elementRef: true })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .filter(({ element }) => !exceptions.some(({ rule, selector }) => rule === id && element?.matches(selector)))
        .map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    )
}
