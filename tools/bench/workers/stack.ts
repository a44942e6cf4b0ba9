/**
 * This Worker is the stack without the service: Hono, Zod and Drizzle as their manuals combine them, with tables,
 * routes and schemas of the same number and size, each created where it is written. Its cold start is the price of the
 * stack, so that of the service must not be longer.
 */
import { zValidator } from '@hono/zod-validator'
import { eq, getTableColumns } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Hono } from 'hono'
import * as z from 'zod'
import * as accessTables from '../../../src/db/schema/accesses.ts'
import * as jobTables from '../../../src/db/schema/jobs.ts'
import * as storeTables from '../../../src/db/schema/stores.ts'

const app = new Hono<{ Bindings: { DB: D1Database } }>()

const TABLES = { ...storeTables, ...accessTables, ...jobTables }

for (const [name, table] of Object.entries(TABLES)) app.route(`/v1/stores/:store_id/${name}`, resource(table))

/** Returns five routes: list, read, create, change and delete. */
function resource(table: SQLiteTable & { id?: unknown }) {
  const { id, ...columns } = getTableColumns(table)
  const fields = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      column.dataType === 'number'
        ? z
            .int({ error: `${name} must be an integer` })
            .min(0)
            .nullish()
        : z
            .string({ error: `${name} must be a string` })
            .min(1)
            .max(255)
            .refine((text) => text.isWellFormed(), { error: `${name} must be well formed` })
            .optional(),
    ]),
  )
  const createBody = z.strictObject(fields)
  const changeBody = z.object(fields).partial()
  const listQuery = z.object({
    limit: z.coerce.number().int().min(1).max(100).default(50),
    after: z.string().optional(),
  })
  const key = id ?? Object.values(columns)[0]
  return new Hono<{ Bindings: { DB: D1Database } }>()
    .get('/', zValidator('query', listQuery), async (c) =>
      c.json(await drizzle(c.env.DB).select().from(table).limit(c.req.valid('query').limit)),
    )
    .get('/:id', async (c) =>
      c.json(
        key
          ? await drizzle(c.env.DB)
              .select()
              .from(table)
              .where(eq(key, c.req.param('id')))
          : null,
      ),
    )
    .post('/', zValidator('json', createBody), async (c) =>
      c.json(await drizzle(c.env.DB).insert(table).values(c.req.valid('json')).returning(), 201),
    )
    .patch('/:id', zValidator('json', changeBody), async (c) =>
      c.json(await drizzle(c.env.DB).update(table).set(c.req.valid('json')).returning()),
    )
    .delete('/:id', async (c) => {
      if (key)
        await drizzle(c.env.DB)
          .delete(table)
          .where(eq(key, c.req.param('id')))
      return c.body(null, 204)
    })
}

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default app
