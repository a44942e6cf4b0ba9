import { storeOf } from '../../db/ids.ts'
import { type BulkChangeRecord, getBulkChange, listBulkChanges } from './read-bulk-changes.ts'
import { cancelBulkChange } from './cancel-bulk-change.ts'
import { createBulkChange } from './create-bulk-change.ts'
import type { Created, IdempotencyKey } from '../../change/idempotency-claims.ts'
import { revertBulkChange } from './revert-bulk-change.ts'
import { wakeBulkChanges } from './wake-object.ts'
import { requireScope } from '../../http/middleware/bearer.ts'
import { requireScopeOfBodyFilter } from '../../http/field-filters.ts'
import { type Context, Hono } from '../../http/hono.ts'
import { idempotencyKey } from '../../http/middleware/idempotency-key.ts'
import { contextOf, numberInPath, readerOf } from '../../http/request-context.ts'
import { respondCreate } from '../../http/respond/create.ts'
import { examineInTurn, inTurn } from '../../http/middleware/turns.ts'
import { jsonBody, noBody, noQuery, queryString } from '../../http/middleware/validate.ts'
import { TURN } from '../../http/turn-queue.ts'
import { createBulkChangeBody, listBulkChangesQuery, toBulkChange } from './bulk-change-json.ts'
import { toPage } from '../../formats/pages.ts'

/** Wakes the object that carries out the bulk changes of the store, after the response. */
function wakeObject(c: Context, { id }: BulkChangeRecord): void {
  c.executionCtx.waitUntil(wakeBulkChanges(c.env, [storeOf(id)]))
}

async function beginNew(c: Context, creation: Promise<Created<BulkChangeRecord>>): Promise<Created<BulkChangeRecord>> {
  const created = await creation
  if (created.isNew) wakeObject(c, created.row)
  return created
}

function toJsonFor(c: Context) {
  return (row: BulkChangeRecord) => toBulkChange(row, readerOf(c))
}

export const bulkChanges = new Hono()
  .post(
    '/:store_id/bulk_changes',
    requireScope('product_accesses:write'),
    idempotencyKey(),
    jsonBody(createBulkChangeBody, { before: requireScopeOfBodyFilter }),
    (c) => {
      const { filter, change, dry_run: isDryRun = false } = c.req.valid('json')
      const begin = (key: IdempotencyKey | undefined) =>
        beginNew(c, createBulkChange(c.get('db'), contextOf(c), { key, filter, change, isDryRun }))
      return respondCreate(c, {
        operation: 'v1.bulk_changes.create',
        status: 202,
        toJson: toJsonFor(c),
        // Of a thousand users, each is looked up.
        create: (key) => (filter.user_ids === undefined ? begin(key) : examineInTurn(c, () => begin(key))),
      })
    },
  )
  .get('/:store_id/bulk_changes', requireScope('product_accesses:read'), queryString(listBulkChangesQuery), (c) =>
    // Each may name a thousand users, so a page may have a megabyte, and writing it is a part of the work.
    inTurn(c, async (turn) => {
      const found = await listBulkChanges(c.get('db'), contextOf(c), c.req.valid('query'))
      if (found.rows.length <= TURN.fewRecords) turn.skipRest()
      return c.json(toPage(found, toJsonFor(c)))
    }),
  )
  .get('/:store_id/bulk_changes/:id', requireScope('product_accesses:read'), noQuery(), async (c) => {
    return c.json(toBulkChange(await getBulkChange(c.get('db'), contextOf(c), numberInPath(c)), readerOf(c)))
  })
  .post('/:store_id/bulk_changes/:id/cancel', requireScope('product_accesses:write'), noBody(), async (c) => {
    const row = await cancelBulkChange(c.get('db'), contextOf(c), numberInPath(c))
    // It may be the turn of the next one.
    wakeObject(c, row)
    return c.json(toBulkChange(row, readerOf(c)))
  })
  .post(
    '/:store_id/bulk_changes/:id/revert',
    requireScope('product_accesses:write'),
    idempotencyKey(),
    noBody(),
    (c) => {
      const number = numberInPath(c)
      return respondCreate(c, {
        operation: 'v1.bulk_changes.revert',
        status: 202,
        fingerprinted: { reverts: number },
        toJson: toJsonFor(c),
        create: (key) => beginNew(c, revertBulkChange(c.get('db'), contextOf(c), { key, number })),
      })
    },
  )
