/** Erases those whom an import has created, where nothing has happened since. Otherwise the accesses are closed. */
import { OPEN_STATUS } from '../../src/db/schema/access-status.ts'
import { isObject } from '../../src/lib/json.ts'
import type { Change } from './changes.ts'
import type { Client } from './client.ts'
import { wasCreatedByRun } from './created-by-run.ts'
import { Refused } from './request-errors.ts'
import { type AccessState, instantOf } from './stored-accesses.ts'
import { textIn } from './text-in.ts'
import { CLOSED, closeGranted, isAsGranted } from './undo-accesses.ts'
import { type CreatedPerson, etagOfCreation, type UndoBatch } from './undo-record.ts'
import type { FoundAccess, Person } from './undo-service.ts'
import { type StayCode, type UndoStep, type Who, whoIn } from './undo-step.ts'

export interface LaterRows {
  /** What later rows of the same file changed, the last one first. */
  changes: Change[]
  /** The ETag that the last one left; undefined if no field was changed. */
  etag: string | undefined
}

/**
 * Finds those whom a batch has created whose response was lost. Whoever has other values by now stays, and so does everyone
 * whom the batch was to change, because they existed before it.
 */
export async function createdUnanswered(
  client: Client,
  step: UndoStep,
  { changes, unanswered }: UndoBatch,
): Promise<CreatedPerson[]> {
  const created: CreatedPerson[] = []
  const existed = new Set(changes.map(({ id }) => id))
  const times = new Set<string>()
  const { rows = [], lastId = 0, since = 0 } = unanswered ?? {}
  for (const { line, item } of rows) {
    const email = textIn(item, 'email')
    if (email === undefined) continue
    const user = await userWith(client, email)
    const id = textIn(user, 'id')
    if (id === undefined || existed.has(id) || Number(id) <= lastId) continue
    if (Date.parse(textIn(user, 'created_at') ?? '') < since) continue
    if (await wasCreatedByRun(client, { id, item, lastId, since })) {
      created.push({ line, item, id, etag: etagOfCreation(id) })
      times.add(textIn(user, 'created_at') ?? '')
    } else step.stay(whoIn(line, id, item), 'person_changed')
  }
  // A batch creates all of them at once, so somebody has registered them one by one.
  if (times.size < 2) return created
  for (const { line, id, item } of created) step.stay(whoIn(line, id, item), 'person_changed')
  return []
}

async function userWith({ call }: Client, email: string): Promise<unknown> {
  try {
    const { body } = await call('GET', `/users?email=${encodeURIComponent(email)}`)
    return isObject(body) && Array.isArray(body['data']) ? body['data'][0] : undefined
  } catch (error) {
    // It is no email, so the row has created nobody.
    if (error instanceof Refused && error.status === 422) return undefined
    throw error
  }
}

export async function undoCreated(
  step: UndoStep,
  group: CreatedPerson[],
  { mayErase, laterRows, closed }: { mayErase: boolean; laterRows: (id: string) => LaterRows; closed: Set<string> },
): Promise<void> {
  const people = await step.service.readPeople(group.map(({ id }) => id))
  for (const created of group) {
    const { id, etag, item, line } = created
    const found = people.get(id)
    const later = laterRows(id)
    const who = whoIn(line, id, item)
    if (!found) {
      step.gone(who)
      continue
    }
    const left = leftAccesses(created, later)
    const stays =
      (await reasonToStay(step, { created, found, left, later, closed })) ?? (mayErase ? undefined : 'no_right')
    const reason = stays ?? (await erase(step, who, later.etag ?? etag))
    if (reason === undefined) continue
    step.stay(who, reason)
    await closeAll(step, who, found, { left, closed })
  }
}

interface Checked {
  created: CreatedPerson
  found: Person
  left: Map<string, Partial<AccessState>>
  later: LaterRows
  closed: Set<string>
}

/** An erasure is decided by its ETag. What this finds besides is what the ETag does not cover, and what a dry run says. */
async function reasonToStay(
  step: UndoStep,
  { created, found, left, later, closed }: Checked,
): Promise<StayCode | undefined> {
  const { id, item } = created
  const { user, accesses } = found
  // With the ids of another database, this would be somebody else.
  const isOther = textIn(user, 'email')?.toLowerCase() !== textIn(item, 'email')?.toLowerCase()
  if (isOther || (step.service.isDryRun && (await isChanged(step, id, user, later)))) return 'person_changed'
  // The row has granted its accesses with the person, who would otherwise be somebody else's.
  const { product_accesses: own } = item
  if (accesses.filter((access) => wasGrantedAtOnce(access, user)).length < (Array.isArray(own) ? own.length : 0))
    return 'person_used'
  for (const access of accesses) {
    const state = stateOf(access, left)
    const isClosed = closed.has(access.id)
    if (!access.isUsed && state && isAsGranted(access, isClosed ? { ...state, status: CLOSED } : state)) continue
    // Its product may have another slug by now, or last for another time.
    const isUntouched = wasGrantedAtOnce(access, user) && (await isAsCreated(step, access.id))
    if (access.isUsed || !isUntouched) return 'person_used'
  }
  return undefined
}

/** An access that was granted by the row which has created its user. */
function wasGrantedAtOnce({ createdAt }: FoundAccess, user: Person['user']): boolean {
  return createdAt === user['created_at']
}

async function isAsCreated({ service }: UndoStep, id: string): Promise<boolean> {
  return (await service.readAccessEtag(id)) === etagOfCreation(id)
}

async function isChanged(
  { service }: UndoStep,
  id: string,
  user: Record<string, unknown>,
  { etag }: LaterRows,
): Promise<boolean> {
  if (etag === undefined) return user['updated_at'] !== user['created_at']
  return (await service.readEtag(id)) !== etag
}

async function erase(step: UndoStep, who: Who, etag: string): Promise<StayCode | undefined> {
  let written = await step.service.eraseUser(who.id, etag)
  const wasLost = written === 'lost'
  while (written === 'lost') written = await step.service.eraseUser(who.id, etag)
  if (written === 'done' || (written === 'gone' && wasLost)) step.erased(who)
  else if (written === 'gone') step.gone(who)
  else return 'person_changed'
  return undefined
}

/** The accesses that the rows have granted, by the slugs or ids of their products. */
function leftAccesses({ item }: CreatedPerson, { changes }: LaterRows): Map<string, Partial<AccessState>> {
  const left = new Map<string, Partial<AccessState>>()
  const { product_accesses: accesses } = item
  for (const access of Array.isArray(accesses) ? accesses : []) {
    const product = textIn(access, 'slug') ?? textIn(access, 'product_id') ?? ''
    const due = isObject(access) ? instantOf(access['access_due_date']) : undefined
    left.set(product, { status: textIn(access, 'status') ?? OPEN_STATUS, due })
  }
  for (const { accesses: changed = [] } of changes.toReversed()) for (const { slug, to } of changed) left.set(slug, to)
  return left
}

function stateOf({ product }: FoundAccess, left: Checked['left']): Partial<AccessState> | undefined {
  return left.get(product.slug) ?? left.get(product.id)
}

async function closeAll(
  step: UndoStep,
  who: Who,
  { user, accesses }: Person,
  { left, closed }: Pick<Checked, 'left' | 'closed'>,
): Promise<void> {
  for (const access of accesses) {
    const state = stateOf(access, left) ?? (wasGrantedAtOnce(access, user) ? {} : undefined)
    // Whatever is open again, somebody has opened since.
    if (state === undefined || closed.has(access.id)) continue
    await closeGranted(step, who, access, { status: state.status ?? OPEN_STATUS, due: state.due })
  }
}
