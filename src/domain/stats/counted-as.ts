/** How the statistics count an access (`product_accesses.counted_as`). A higher value includes the lower ones. */
export const COUNTED_AS = {
  access: 1,
  inForce: 2,
  /** In force, and ends within seven days. */
  ending: 3,
} as const
