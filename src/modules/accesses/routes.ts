import { examineInTurn, takeTurn } from '../../http/middleware/turns.ts'
import * as z from 'zod/mini'
import { recordProgress } from './record-progress.ts'
import { extendProductAccess } from './extend-access.ts'
import { updateProductAccess } from './update-access.ts'
import { grantProductAccess } from './grant-access.ts'
import { grantAccesses } from './grant-accesses.ts'
import { listProductAccesses } from './list-accesses.ts'
import { getProductAccess, OPEN_STATUS } from './access-record.ts'
import { requireScopeOfFieldFilter } from '../../http/field-filters.ts'
import { Hono } from '../../http/hono.ts'
import { idempotencyKey } from '../../http/middleware/idempotency-key.ts'
import { jsonBody, noQuery, queryString } from '../../http/middleware/validate.ts'
import { parseDigits } from '../../lib/json.ts'
import { EXTENSION, LENGTH, MAX_PROGRESS } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { respondBatch } from '../../http/respond/batch.ts'
import { respondCreate } from '../../http/respond/create.ts'
import { batchBody } from '../../formats/batches.ts'
import { requireScope } from '../../http/middleware/bearer.ts'
import { contextOf, numberInPath } from '../../http/request-context.ts'
import { ifMatch } from '../../http/middleware/if-match.ts'
import {
  anyText,
  clearable,
  dateTimeText,
  httpUrl,
  integer,
  oneOfTwo,
  optional,
  recordId,
  trueOrFalse,
} from '../../formats/values.ts'
import { accessStatus, accessFilters, namedProduct, namesOneProduct } from './access-schemas.ts'
import { listQuery, toPage, listOrder } from '../../formats/pages.ts'
import { losslessGrade, gradeProblems } from '../../http/lossless-numbers.ts'
import { accessEtag, toProductAccess } from './access-json.ts'

/** An omitted field keeps its value; a due date of null removes the limit. */
const updateProductAccessBody = lazy(() =>
  z.object({
    status: z.optional(accessStatus()),
    access_due_date: clearable(dateTimeText()),
  }),
)

const extendProductAccessBody = lazy(() =>
  z
    .strictObject({
      days: optional(integer(1, EXTENSION.days)),
      months: optional(integer(1, EXTENSION.months)),
    })
    .check(...oneOfTwo('days', 'months', 'send either days or months')),
)

/** Without a due date the access lasts as long as its product says; null is no limit. */
export const grantProductAccessBody = lazy(() =>
  z
    .strictObject({
      user_id: recordId(),
      ...namedProduct(),
      status: optional(accessStatus()),
      access_due_date: clearable(dateTimeText()),
    })
    .check(...namesOneProduct()),
)

const gradeValue = lazy(() =>
  z.union([anyText(LENGTH.grade), z.number(), z.boolean(), z.null()], {
    error: `must be a string of at most ${LENGTH.grade} characters, a finite number of at most ${LENGTH.number} characters, a boolean or null`,
  }),
)

const recordProgressBody = lazy(() =>
  z.strictObject({
    started_at: clearable(dateTimeText()),
    completed_at: clearable(dateTimeText()),
    progress: z.optional(integer(0, MAX_PROGRESS)),
    grade: z.optional(gradeValue()),
    concept_grade: clearable(anyText(LENGTH.grade)),
    passed: z.optional(trueOrFalse()),
    certificate_url: clearable(httpUrl()),
  }),
)

const listProductAccessesQuery = lazy(() => z.object({ ...accessFilters(), order: listOrder(), ...listQuery().shape }))

/** True unless an index leads to the accesses of the page. */
function mayExamineMany(query: z.output<ReturnType<typeof listProductAccessesQuery>>): boolean {
  const { limit: _limit, after: _after, order: _order, ...filters } = query
  return Object.entries(filters).some(([name, value]) => value !== undefined && !INDEXED.has(name))
}

const INDEXED: ReadonlySet<string> = new Set(['ids', 'user_id', 'product_id'])

export const productAccesses = new Hono()
  .post(
    '/:store_id/product_accesses',
    requireScope('product_accesses:write'),
    idempotencyKey(),
    jsonBody(grantProductAccessBody),
    (c) => {
      const { status = OPEN_STATUS, ...grant } = c.req.valid('json')
      return respondCreate(c, {
        operation: 'v1.product_accesses.grant',
        toJson: toProductAccess,
        toEtag: accessEtag,
        create: (key) => grantProductAccess(c.get('db'), contextOf(c), { key, status, ...grant }),
      })
    },
  )
  .post(
    '/:store_id/product_accesses/batch',
    requireScope('product_accesses:write'),
    takeTurn(),
    jsonBody(batchBody),
    (c) => {
      const body = c.req.valid('json')
      const { items, dry_run: isDryRun = false, on_existing: onExisting = 'fail' } = body
      const { never_shorten: neverShorten = false } = body
      return respondBatch(c, {
        items,
        isDryRun,
        schema: grantProductAccessBody(),
        process: (grants) => grantAccesses(c.get('db'), contextOf(c), { grants, onExisting, neverShorten, isDryRun }),
      })
    },
  )
  .get(
    '/:store_id/product_accesses',
    requireScope('product_accesses:read'),
    queryString(listProductAccessesQuery, { before: requireScopeOfFieldFilter }),
    async (c) => {
      const query = c.req.valid('query')
      const list = () => listProductAccesses(c.get('db'), contextOf(c), query)
      return c.json(toPage(await (mayExamineMany(query) ? examineInTurn(c, list) : list()), toProductAccess))
    },
  )
  .get('/:store_id/product_accesses/:id', requireScope('product_accesses:read'), noQuery(), async (c) => {
    const row = await getProductAccess(c.get('db'), contextOf(c), numberInPath(c))
    return c.json(toProductAccess(row), 200, { ETag: accessEtag(row) })
  })
  .put(
    '/:store_id/product_accesses/:id',
    requireScope('product_accesses:write'),
    ifMatch(),
    jsonBody(updateProductAccessBody, { ignoresUnknownParameters: true }),
    async (c) => {
      const row = await updateProductAccess(c.get('db'), contextOf(c), {
        number: numberInPath(c),
        ifMatch: c.get('ifMatch'),
        ...c.req.valid('json'),
      })
      // The specification requires 201, although nothing is created.
      return c.json(toProductAccess(row), 201, { ETag: accessEtag(row) })
    },
  )
  .post(
    '/:store_id/product_accesses/:id/extend',
    requireScope('product_accesses:write'),
    idempotencyKey(),
    ifMatch(),
    jsonBody(extendProductAccessBody),
    async (c) => {
      const number = numberInPath(c)
      const { days, months } = c.req.valid('json')
      return respondCreate(c, {
        operation: 'v1.product_accesses.extend',
        status: 200,
        // The path has the id, so the body alone would not say which access the key extends.
        fingerprinted: { extends: number, body: parseDigits(await c.req.text()) },
        toJson: toProductAccess,
        toEtag: accessEtag,
        create: (key) =>
          extendProductAccess(c.get('db'), contextOf(c), { number, ifMatch: c.get('ifMatch'), key, days, months }),
      })
    },
  )
  .patch(
    '/:store_id/product_accesses/:id',
    requireScope('product_accesses:write'),
    ifMatch(),
    jsonBody(recordProgressBody, { check: gradeProblems }),
    async (c) => {
      const progress = c.req.valid('json')
      const row = await recordProgress(c.get('db'), contextOf(c), {
        number: numberInPath(c),
        ifMatch: c.get('ifMatch'),
        progress: {
          ...progress,
          grade: await losslessGrade(c, progress.grade),
          passed: progress.passed === undefined ? undefined : Number(progress.passed),
        },
      })
      return c.json(toProductAccess(row), 200, { ETag: accessEtag(row) })
    },
  )
