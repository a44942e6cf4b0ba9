/** Puts back what an import has changed of one person, field by field, where it is still as the import left it. */
import type { Change } from './changes.ts'
import type { LeftField } from './left-fields.ts'
import { textIn } from './text-in.ts'
import { closeGranted, putAccessBack } from './undo-accesses.ts'
import type { Person } from './undo-service.ts'
import { ATTEMPTS, type UndoStep, type Who } from './undo-step.ts'

export async function undoChange(step: UndoStep, change: Change, known?: Person): Promise<void> {
  const { line, id, person, before, left = [], changes, accesses = [] } = change
  const who = { line, id, person, email: textIn(before, 'email') ?? '' }
  if (changes.length > 0 && !(await putFieldsBack(step, who, left))) return
  if (changes.some(({ field }) => field === 'password')) step.stay(who, 'password', 'password')
  let found = known
  for (const { id: access, slug, product, from, to } of accesses.toReversed()) {
    if (from !== undefined) {
      await putAccessBack(step, who, { id: access, product, from, to })
      continue
    }
    found ??= (await step.service.readPeople([id])).get(id)
    const granted = found?.accesses.find((each) => each.product.slug === slug || each.product.id === slug)
    if (granted) await closeGranted(step, who, granted, to)
  }
}

/** Returns false if the person was erased. */
async function putFieldsBack(step: UndoStep, who: Who, left: LeftField[]): Promise<boolean> {
  const rejected = new Map<string, string>()
  for (let attempt = 0; ; attempt++) {
    const fresh = await step.service.readUser(who.id)
    if (!fresh) return false
    const isBefore = ({ field, from }: LeftField): boolean => fresh.valueOf(field) === from
    const rest = left.filter((each) => !isBefore(each))
    const back =
      attempt === ATTEMPTS ? [] : rest.filter(({ field, to }) => !rejected.has(field) && fresh.valueOf(field) === to)
    const written = back.length === 0 ? 'done' : await step.service.patchUser(who.id, back, fresh.etag)
    if (written === 'gone') return false
    if (written === 'mismatch') continue
    if (written === 'done') {
      if (back.length > 0) step.counts.people++
      for (const { field } of rest.filter((each) => !back.includes(each))) {
        const explanation = rejected.get(field)
        step.stay(who, explanation === undefined ? 'field_changed' : 'rejected', field, explanation)
      }
      return true
    }
    // The others can be put back without these. Without a field that was sent, nobody knows which one it is.
    const known = written.rejected.filter(({ field }) => back.some((each) => each.field === field))
    for (const { field, explanation } of known) rejected.set(field, explanation)
    if (known.length === 0) for (const { field } of back) rejected.set(field, written.rejected[0]?.explanation ?? '')
  }
}
