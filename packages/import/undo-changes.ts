/** Puts back what an import has changed of one person, field by field, where it is still as the import left it. */
import type { Change } from './changes.ts'
import { type LeftField, toJson } from './left-fields.ts'
import { textIn } from './text-in.ts'
import { closeGranted, putAccessBack } from './undo-accesses.ts'
import type { FreshUser, Person } from './undo-service.ts'
import { ATTEMPTS, type UndoStep, type Who } from './undo-step.ts'

const CREATED_AT = 'created_at'

interface Known {
  known?: Person | undefined
  /** The ids of the accesses that an earlier undo has closed. */
  closed?: ReadonlySet<string>
  /** Whether the import knows that its batch was carried out. */
  isAnswered?: boolean
}

export async function undoChange(
  step: UndoStep,
  change: Change,
  { known, closed = new Set(), isAnswered = false }: Known = {},
): Promise<void> {
  const { line, id, person, before, left = [], changes, accesses = [] } = change
  const who = { line, id, person, email: textIn(before, 'email') ?? '' }
  const user = await step.service.readUser(id)
  if (!user) return
  // With the ids of another database, this would be somebody else.
  if (user.valueOf(CREATED_AT) !== toJson(before[CREATED_AT])) return step.stay(who, 'person_changed')
  if (changes.length > 0 && !(await putFieldsBack(step, who, left, user))) return
  if (changes.some(({ field }) => field === 'password')) step.stay(who, 'password', 'password')
  let found = known
  for (const { id: access, slug, product, from, to } of accesses.toReversed()) {
    if (from !== undefined) {
      await putAccessBack(step, who, { id: access, product, from, to }, isAnswered)
      continue
    }
    found ??= (await step.service.readPeople([id])).get(id)
    const granted = found?.accesses.find((each) => each.product.slug === slug || each.product.id === slug)
    // Whatever is open again, somebody has opened since.
    if (granted && !closed.has(granted.id)) await closeGranted(step, who, granted, to)
    // The product has another slug now.
    if (found && !granted && isAnswered) step.stay(who, 'access_changed', product)
  }
}

/** Returns false if the person was erased. */
async function putFieldsBack(step: UndoStep, who: Who, left: LeftField[], user: FreshUser): Promise<boolean> {
  const rejected = new Map<string, string>()
  let wasLost = false
  for (
    let [fresh, mismatches]: [FreshUser | undefined, number] = [user, 0];
    ;
    fresh = await step.service.readUser(who.id)
  ) {
    if (!fresh) return false
    const { valueOf, etag } = fresh
    const rest = left.filter(({ field, from }) => valueOf(field) !== from)
    const back =
      mismatches === ATTEMPTS ? [] : rest.filter(({ field, to }) => !rejected.has(field) && valueOf(field) === to)
    const written = back.length === 0 ? 'done' : await step.service.patchUser(who.id, back, etag)
    if (written === 'gone') return false
    if (written === 'mismatch') mismatches++
    if (written === 'done') {
      if (back.length > 0 || (wasLost && rest.length === 0)) step.counts.people++
      for (const { field } of rest.filter((each) => !back.includes(each))) {
        const explanation = rejected.get(field)
        step.stay(who, explanation === undefined ? 'field_changed' : 'rejected', field, explanation)
      }
      return true
    }
    wasLost = written === 'lost'
    if (typeof written === 'string') continue
    // The others can be put back without these. Without a field that was sent, nobody knows which one it is.
    const known = written.rejected.filter(({ field }) => back.some((each) => each.field === field))
    for (const { field, explanation } of known) rejected.set(field, explanation)
    if (known.length === 0) for (const { field } of back) rejected.set(field, written.rejected[0]?.explanation ?? '')
  }
}
