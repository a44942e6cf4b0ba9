import { applyD1Migrations, listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll } from 'vitest'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

/** Otherwise the alarms of a file's stores would ring during the tests of another file, which count lines of the log. */
afterAll(async () => {
  for (const id of await listDurableObjectIds(env.STORES)) {
    await runInDurableObject(env.STORES.get(id), (_, { storage }) => storage.deleteAlarm())
  }
})
