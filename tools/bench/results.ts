/** The report and the targets both read these results, so they have a module of their own. */
import type { Batches } from './batches.ts'
import type { Cost } from './cost.ts'
import type { Fairness } from './fairness.ts'
import type { Comparison } from './floor.ts'
import type { Growth } from './growth.ts'
import type { Size } from './size.ts'

/** A part is missing if `--only` did not select it. */
export interface Results {
  floor?: Comparison[]
  cost?: Cost[]
  batches?: Batches
  size?: Size
  growth?: Growth[]
  fairness?: Fairness
}
