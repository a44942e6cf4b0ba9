import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { recordProgress } from '../domain/product-access-changes.ts'
import {
  ACCESS_STATUSES,
  getProductAccess,
  grantProductAccess,
  listProductAccesses,
} from '../domain/product-accesses.ts'
import { jsonBody, queryString } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { asWritten } from '../wire/as-written.ts'
import { causeOf } from '../wire/cause.ts'
import { expectedVersions } from '../wire/etag.ts'
import { dateTime, id, integer, oneOf, optional, pageQuery, parseId, text } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'
import { answerProductAccess, toProductAccess } from '../wire/product-accesses.ts'
import { storePath } from './store-path.ts'

const status = oneOf(ACCESS_STATUSES)

export const grantProductAccessBody = z.object({
  user_id: id,
  product_id: id,
  status: optional(status),
  access_due_date: dateTime.nullable().optional(),
})

const grade = z.union([text(LENGTH.grade), z.number(), z.boolean(), z.null()], {
  error: `must be a string of at most ${LENGTH.grade} characters, a finite number, a boolean or null`,
})

const url = text(LENGTH.url)
  .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), { error: 'must be an http or https URL' })
  .meta({ format: 'uri', maxLength: LENGTH.url })

export const recordProgressBody = z.object({
  started_at: dateTime.nullable().optional(),
  completed_at: dateTime.nullable().optional(),
  progress: integer(0, 100).optional(),
  grade: grade.optional(),
  concept_grade: text(LENGTH.grade).nullable().optional(),
  passed: z.boolean({ error: 'must be true or false' }).optional(),
  certificate_url: url.nullable().optional(),
})

export const listProductAccessesQuery = z.object({
  user_id: id.optional(),
  product_id: id.optional(),
  status: status.optional(),
  ...pageQuery(id).shape,
})

export const productAccesses = new Hono<AppEnv>()
  .post('/:store_id/product_accesses', jsonBody(grantProductAccessBody), storePath, async (c) => {
    const { user_id, product_id, status: granted = 'with_access', access_due_date } = c.req.valid('json')
    const row = await grantProductAccess(c.get('db'), {
      store_id: c.req.param('store_id'),
      user_id,
      product_id,
      status: granted,
      access_due_date,
      cause: causeOf(c),
    })
    return answerProductAccess(c, { row, isChange: true, status: 201 })
  })
  .get('/:store_id/product_accesses', queryString(listProductAccessesQuery), storePath, async (c) => {
    const found = await listProductAccesses(c.get('db'), { store_id: c.req.param('store_id'), ...c.req.valid('query') })
    return c.json(toPage(found, toProductAccess))
  })
  .get('/:store_id/product_accesses/:id', storePath, async (c) => {
    const { store_id, id: accessId } = c.req.param()
    const row = await getProductAccess(c.get('db'), { store_id, id: parseId(accessId) })
    return answerProductAccess(c, { row })
  })
  .patch('/:store_id/product_accesses/:id', jsonBody(recordProgressBody), storePath, async (c) => {
    const { store_id, id: pathId } = c.req.param()
    const accessId = parseId(pathId)
    const { grade: newGrade, passed, ...rest } = c.req.valid('json')
    const changed = await recordProgress(c.get('db'), {
      store_id,
      id: accessId,
      versions: expectedVersions(c.req.header('If-Match'), accessId),
      cause: causeOf(c),
      progress: {
        ...rest,
        grade: newGrade == null ? newGrade : JSON.stringify(await asWritten(c, 'grade', newGrade)),
        passed: passed === undefined ? undefined : Number(passed),
      },
    })
    return answerProductAccess(c, changed)
  })
