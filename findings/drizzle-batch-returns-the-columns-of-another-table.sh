#!/usr/bin/env bash
# drizzle-orm 0.45.4, miniflare 5.20261102.0-beta (workerd 1.20261102.1). One would guess that a query returns the same rows alone and in
# `db.batch`. D1 returns the rows of a batch as objects, with one value for each column name. Drizzle gives them to the fields by
# their position: of two joined tables that both have `id` and `name`, the first gets the values of the second, without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 miniflare@5.20261102.0-beta workerd@1.20261102.1 drizzle-orm@0.45.4
cat >batch.mjs <<'END'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script: 'export default {}',
  compatibilityDate: '2026-10-01', d1Databases: ['DB'] }))
const db = drizzle(await miniflare.getD1Database('DB'))
const users = sqliteTable('users', { id: integer().primaryKey(), name: text() })
const products = sqliteTable('products', { id: integer().primaryKey(), name: text(), user: integer() })
await db.run(sql`create table users (id integer primary key, name text)`)
await db.run(sql`create table products (id integer primary key, name text, user integer)`)
await db.insert(users).values({ id: 1, name: 'Ada' })
await db.insert(products).values({ id: 70, name: 'Engines', user: 1 })
const fields = { user: users.id, name: users.name, product: products.id, title: products.name }
const query = db.select(fields).from(users).innerJoin(products, eq(products.user, users.id))
console.log('alone:', JSON.stringify(await query))
console.log('batch:', JSON.stringify((await db.batch([query]))[0]))
await miniflare.dispose()
END
node_modules/.bin/node batch.mjs >seen.txt
cat >expected.txt <<'END'
alone: [{"user":1,"name":"Ada","product":70,"title":"Engines"}]
batch: [{"user":70,"name":"Engines"}]
END
diff expected.txt seen.txt && echo "As described."
