#!/usr/bin/env bash
# drizzle-orm 0.45.4 with node:sqlite of node 24.21.0. One would guess that `${accesses.user_id} = ${users.id}` has the same SQL wherever it
# stands. In what is selected from one table, Drizzle writes the columns without their tables, also those within a subquery: there
# it is `"user_id" = "id"`, and both are columns of accesses. The query counts something else, without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 drizzle-orm@0.45.4
cat >count.mjs <<'END'
import { DatabaseSync } from 'node:sqlite'
import { eq, sql } from 'drizzle-orm'
import { integer, QueryBuilder, sqliteTable } from 'drizzle-orm/sqlite-core'
const database = new DatabaseSync(':memory:')
database.exec(`create table users (id integer); create table accesses (id integer, user_id integer)`)
database.exec(`insert into users values (1), (2); insert into accesses values (7, 1), (8, 1), (2, 2)`)
const users = sqliteTable('users', { id: integer() })
const accesses = sqliteTable('accesses', { id: integer(), user_id: integer() })
const select = (fields) => new QueryBuilder().select(fields).from(users).orderBy(users.id)
const text = sql`(select count(*) from ${accesses} where ${accesses.user_id} = ${users.id})`
const built = new QueryBuilder().select({ n: sql`count(*)` }).from(accesses).where(eq(accesses.user_id, users.id))
const queries = { 'where text': select({ id: users.id }).where(sql`${text} = 2`), 'select text': select({ id: users.id, n: text.as('n') }),
  'select built': select({ id: users.id, n: sql`${built}`.as('n') }) }
for (const [name, query] of Object.entries(queries)) {
  const { sql: written } = query.toSQL()
  console.log(`${name}: ${written.match(/where ("accesses"\.)?"user_id" = [^)]*/)[0]}`)
  console.log(database.prepare(written).all().map((row) => JSON.stringify(row)).join(' '))
}
END
node_modules/.bin/node count.mjs >seen.txt
cat >expected.txt <<'END'
where text: where "accesses"."user_id" = "users"."id"
{"id":1}
select text: where "user_id" = "id"
{"id":1,"n":1} {"id":2,"n":1}
select built: where "accesses"."user_id" = "users"."id"
{"id":1,"n":2} {"id":2,"n":1}
END
diff expected.txt seen.txt && echo "As described."
