import type { WaitReason } from '../../import/engine.ts'
import type { Words } from '../../words/words.ts'

/** Why an import waits, in the operator's language. */
export function waitText(reason: WaitReason, { import: { waits } }: Words): string {
  if (reason.code !== 'status') return waits[reason.code]
  return reason.status === 429 ? waits.busy : waits.failing(reason.status)
}
