import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { getUser, listUsers } from '../domain/users.ts'
import { queryString } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { email, id, pageQuery, parseId, text } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'
import { toUser } from '../wire/users.ts'
import { storePath } from './store-path.ts'

export const listUsersQuery = z.object({
  email: email.optional(),
  external_id: text(LENGTH.externalId).optional(),
  ...pageQuery(id).shape,
})

export const users = new Hono<AppEnv>()
  .get('/:store_id/users', queryString(listUsersQuery), storePath, async (c) => {
    const found = await listUsers(c.get('db'), { store_id: c.req.param('store_id'), ...c.req.valid('query') })
    return c.json(toPage(found, toUser))
  })
  .get('/:store_id/users/:id', storePath, async (c) => {
    const { store_id, id: userId } = c.req.param()
    return c.json(toUser(await getUser(c.get('db'), { store_id, id: parseId(userId) })))
  })
