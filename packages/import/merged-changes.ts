/**
 * What a batch changes that is sent again. Nobody knows whether its first attempt was carried out, and somebody may have
 * changed its people since, so they are read again: what differs from the row now is what this attempt replaces.
 */
import type { Change } from './changes.ts'
import type { AccessChange, AccessState } from './stored-accesses.ts'

/** `kept` is what the first attempt was to change, and `found` what the next one is to change. */
export function mergedChanges(kept: Change[], found: Change[]): Change[] {
  const again = new Map(found.map((change) => [change.line, change]))
  const merged = kept.map((change) => {
    const now = again.get(change.line)
    again.delete(change.line)
    // Somebody may have erased the person, and registered one with the same email.
    return now?.id === change.id ? mergedChange(change, now) : (now ?? change)
  })
  // A password that is sent always counts as a change, also of those whom the first attempt has created.
  const more = [...again.values()].filter(({ left = [], accesses = [] }) => left.length + accesses.length > 0)
  return [...merged, ...more].toSorted((a, b) => a.line - b.line)
}

function mergedChange(kept: Change, now: Change): Change {
  const slugs = new Set(now.accesses?.map(({ slug }) => slug))
  const earlier = kept.accesses ?? []
  return {
    ...kept,
    changes: mergedFields(kept.changes, now.changes),
    left: mergedFields(kept.left ?? [], now.left ?? []),
    accesses: [
      ...earlier.filter(({ slug }) => !slugs.has(slug)),
      ...(now.accesses ?? []).map((access) =>
        mergedAccess(
          earlier.find(({ slug }) => slug === access.slug),
          access,
        ),
      ),
    ],
  }
}

function mergedFields<T extends { field: string }>(kept: T[], now: T[]): T[] {
  return [...kept.filter(({ field }) => !now.some((each) => each.field === field)), ...now]
}

/** Of an access, the first attempt may have set one part only. */
function mergedAccess(kept: AccessChange | undefined, now: AccessChange): AccessChange {
  if (kept?.from === undefined || now.from === undefined) return now
  const { from, to } = kept
  const partOf = <K extends keyof AccessState>(name: K, { [name]: stored }: AccessState): AccessState[K] =>
    stored === to[name] ? from[name] : stored
  return { ...now, from: { status: partOf('status', now.from), due: partOf('due', now.from) } }
}
