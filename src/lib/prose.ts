/**
 * Marks words of the documentation that stand beside what the Worker needs, so that a fact is one entry. The bundle of the
 * Worker has `no-prose.ts` in the place of this file ("imports" in package.json), and so contains none of them.
 */
export function prose<T>(words: NoInfer<T>): T | undefined {
  return words
}
