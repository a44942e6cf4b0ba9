/** The report and the targets both read these results, so they have a module of their own. */
import type { Batches } from './batches.ts'
import type { Bulk } from './bulk.ts'
import type { Comparison } from './compare.ts'
import type { Cost } from './cost.ts'
import type { Growth } from './growth.ts'
import type { Instance } from './instances.ts'
import type { Other } from './others.ts'
import type { PlaceResults } from './places.ts'
import type { Screen } from './screens.ts'
import type { Size } from './size.ts'

/** A part is missing if `--only` did not select it. */
export interface Results {
  floor?: Comparison[]
  bare?: Comparison[]
  edge?: Comparison[]
  instances?: Instance[]
  costs?: Cost[]
  batches?: Batches
  bulk?: Bulk[]
  places?: PlaceResults
  size?: Size
  growth?: Growth[]
  screens?: Screen[]
  /** The list is empty if the other software could not be installed. */
  others?: Other[]
}
