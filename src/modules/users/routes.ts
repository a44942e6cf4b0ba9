import * as z from 'zod/mini'
import { eraseUser } from './erase-user.ts'
import { filterUsers } from './filter-users.ts'
import { searchUsers } from './search-users.ts'
import { updateUser } from './update-user.ts'
import { findUserByEmail, getUser, listUsers } from './read-users.ts'
import { Hono } from '../../http/hono.ts'
import { idempotencyKey } from '../../http/middleware/idempotency-key.ts'
import { jsonBody, noQuery, queryString } from '../../http/middleware/validate.ts'
import { LENGTH } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { losslessField, changedCustomFieldProblems, customFieldProblems } from '../../http/lossless-numbers.ts'
import { requireScope } from '../../http/middleware/bearer.ts'
import { contextOf, numberInPath } from '../../http/request-context.ts'
import { respondCreateUser } from './respond-create-user.ts'
import { ifMatch } from '../../http/middleware/if-match.ts'
import { emailAddress, filledText, parseNumber, refineObject } from '../../formats/values.ts'
import { pageQuery, toPage, listOrder } from '../../formats/pages.ts'
import { isSearchOrField, userFilters } from './user-filters.ts'
import { hashWithinQuota, verifyWithinQuota } from './passwords/password-quota.ts'
import { isCursor, NOT_A_CURSOR, readSearchCursor, userCursor, writeSearchCursor } from './search-cursor.ts'
import { inTurn, examineInTurn, takeTurn } from '../../http/middleware/turns.ts'
import { requireScopeOfAccesses, respondUserBatch } from './batch/respond-user-batch.ts'
import type { Turn } from '../../http/turn-queue.ts'
import { usersBatchBody } from './batch/batch-schemas.ts'
import { changedUserFields, newUserFields } from './user-schemas.ts'
import { toUser, toVerification, userEtag } from './user-json.ts'
import { TURN } from '../../http/turn-queue.ts'

export const createUserBody = lazy(() => z.object(newUserFields()))

const updateUserBody = lazy(() => z.strictObject(changedUserFields()))

const verifyPasswordBody = lazy(() => z.strictObject({ email: emailAddress(), password: filledText(LENGTH.password) }))

const listUsersQuery = lazy(() =>
  z
    .object({
      ...userFilters(),
      order: listOrder(),
      ...pageQuery(userCursor()).shape,
    })
    .check(
      isSearchOrField(),
      refineObject(({ q, order }) => q === undefined || order === undefined, {
        path: ['order'],
        error: 'must be omitted with q',
      }),
      refineObject(({ q, after }) => typeof after !== 'string' || isCursor(after, { isSearch: q !== undefined }), {
        path: ['after'],
        error: NOT_A_CURSOR,
      }),
    ),
)

export const users = new Hono()
  .post(
    '/:store_id/users',
    requireScope('users:write'),
    idempotencyKey(),
    jsonBody(createUserBody, { check: customFieldProblems, ignoresUnknownParameters: true }),
    (c) =>
      respondCreateUser(c, {
        operation: 'v1.users.create',
        body: c.req.valid('json'),
        toJson: toUser,
        toEtag: userEtag,
      }),
  )
  .get('/:store_id/users', requireScope('users:read'), queryString(listUsersQuery), async (c) => {
    const { q, after, order, custom_fields, ...filters } = c.req.valid('query')
    if (q === undefined) {
      const page = { ...filters, order, after: after === undefined ? undefined : parseNumber(after) }
      if (custom_fields !== undefined) {
        const found = await inTurn(c, () => filterUsers(c.get('db'), contextOf(c), { ...page, custom_fields }))
        return c.json(toPage(found, toUser))
      }
      const respond = async (turn?: Turn) => {
        const found = await listUsers(c.get('db'), contextOf(c), page)
        if (found.rows.length <= TURN.fewRecords) turn?.skipRest()
        return c.json(toPage(found, toUser))
      }
      // A page may have megabytes, and writing it is a part of the work. Only one user can have an email, so whoever looks
      // up that one does not wait; an external id may belong to many.
      return filters.email === undefined ? inTurn(c, respond) : respond()
    }
    const search = { ...filters, q, after: after === undefined ? undefined : readSearchCursor(after) }
    const { rows, next } = await inTurn(c, () => searchUsers(c.get('db'), contextOf(c), search))
    return c.json(toPage({ rows, next: next && writeSearchCursor(next) }, toUser))
  })
  .get('/:store_id/users/:id', requireScope('users:read'), noQuery(), async (c) => {
    const row = await getUser(c.get('db'), contextOf(c), numberInPath(c))
    return c.json(toUser(row), 200, { ETag: userEtag(row) })
  })
  .patch(
    '/:store_id/users/:id',
    requireScope('users:write'),
    ifMatch(),
    jsonBody(updateUserBody, { check: changedCustomFieldProblems }),
    async (c) => {
      const { custom_fields, password, ...fields } = c.req.valid('json')
      const row = await updateUser(c.get('db'), contextOf(c), {
        number: numberInPath(c),
        ifMatch: c.get('ifMatch'),
        fields,
        custom_fields: custom_fields && (await losslessField(c, 'custom_fields', custom_fields)),
        hashPassword: password === undefined ? undefined : () => hashWithinQuota(c, password),
      })
      return c.json(toUser(row), 200, { ETag: userEtag(row) })
    },
  )
  .delete('/:store_id/users/:id', requireScope('users:erase'), ifMatch(), noQuery(), async (c) => {
    const record = { number: numberInPath(c), ifMatch: c.get('ifMatch') }
    // It examines all bulk changes of the store.
    await examineInTurn(c, () => eraseUser(c.get('db'), contextOf(c), record))
    return c.body(null, 204)
  })
  .post(
    '/:store_id/users/batch',
    requireScope('users:write'),
    takeTurn(),
    jsonBody(usersBatchBody, { before: requireScopeOfAccesses }),
    (c) => respondUserBatch(c, c.req.valid('json')),
  )
  .post(
    '/:store_id/users/verify_password',
    requireScope('passwords:verify'),
    jsonBody(verifyPasswordBody),
    async (c) => {
      const { email, password } = c.req.valid('json')
      const user = await findUserByEmail(c.get('db'), contextOf(c), email)
      const verified = await verifyWithinQuota(c, { email, password, hash: user?.password_hash ?? null })
      return c.json(toVerification(verified ? user : undefined))
    },
  )
