/** Breaks of what is special about stores with a database of their own. */
import type { Break } from './break.ts'

export const PLACE_BREAKS: Break[] = [
  {
    name: "an object's batch goes to D1",
    file: 'db/places.ts',
    from: 'return objectDatabase(store, () => objectOf(env, store, location))',
    to: 'return { ...d1Database(env.DB), holds: () => true }',
  },
  {
    name: 'the alarm is set after the work',
    file: 'objects/store-database.ts',
    from: '    await this.#setAlarm(soon)\n    const changes',
    to: '    const changes',
  },
  {
    name: 'something waits between a change and its alarm',
    file: 'objects/store-database.ts',
    from: 'if (result.rowsWritten > 0) await this.#noteChange()',
    to: 'if (result.rowsWritten > 0) { await this.ctx.storage.getAlarm(); await this.#noteChange() }',
  },
  {
    name: 'a replay of an EU store is stored in KV',
    file: 'http/respond/create.ts',
    from: 'jurisdictionOf(storeOf(row.id)) === null',
    to: 'jurisdictionOf(storeOf(row.id)) !== undefined',
  },
  {
    name: 'two stores get one number',
    file: 'domain/own-stores/directory-entry.ts',
    from: 'coalesce(max(${given.number}) + 1, ',
    to: 'coalesce(max(${given.number}), ',
  },
  {
    name: 'a store is complete before its database has it',
    file: 'domain/own-stores/directory-entry.ts',
    from: '        completed_at: null,\n',
    to: '        completed_at: contextParams.now,\n',
  },
  {
    name: 'the same POST does not find what it has begun',
    file: 'domain/own-stores/directory-entry.ts',
    from: "  rule('unchanged', isSameStore()),\n",
    to: '',
  },
  {
    name: 'another POST completes the store',
    file: 'domain/own-stores/directory-entry.ts',
    from: '    eq(directory.name, entryParams.name),\n',
    to: '',
  },
  {
    name: 'the database of a store gets its store twice',
    file: 'domain/own-stores/create-own-store.ts',
    from: 'lazySql(() => notExists(orm.select({ id: stores.id }).from(stores)))',
    to: 'lazySql(() => sql`1`)',
  },
  {
    name: 'a store without its first event',
    file: 'domain/own-stores/create-own-store.ts',
    from: '    event: insertCreatedEvent(values),\n',
    to: '',
  },
  {
    name: 'a creation is never complete',
    file: 'domain/own-stores/create-own-store.ts',
    from: '      await completeEntry(shared, { ...entry, number })\n',
    to: '',
  },
  {
    name: 'a request does not complete the store',
    file: 'domain/own-stores/operator-store.ts',
    from: 'if (entry.completed_at !== null) return',
    to: 'if (entry.number > 0) return',
  },
]
