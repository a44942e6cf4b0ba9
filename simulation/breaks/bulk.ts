import type { Break } from './break.ts'

/** The guards of bulk changes. */
export const BULK_BREAKS: Break[] = [
  {
    name: 'the next chunk of a bulk change begins with the last access of this one',
    file: 'domain/bulk/chunk.ts',
    from: '${moved.last})`',
    to: '${moved.last} - 1)`',
  },
  {
    name: 'a bulk change goes on after it was canceled',
    file: 'domain/bulk/reached-accesses.ts',
    from: '    isNull(bulkChange.finished_at),\n',
    to: '',
  },
  {
    name: 'a bulk change does not wait for others of its store',
    // Each of two guards suffices, the object's and that of the batch; both ask this.
    file: 'domain/bulk/bulk-changes.ts',
    from: 'min(waiting.id)',
    to: 'sql`max(${waiting.id})`',
  },
  {
    name: 'a bulk change ends again when its last chunk is sent again',
    file: 'domain/bulk/end.ts',
    from: '        isNull(bulk_changes.last_event_id),\n        when,\n',
    to: '        when,\n',
  },
  {
    name: 'a revert overwrites what was changed since',
    file: 'domain/bulk/reached-accesses.ts',
    from: 'const isAsLeft = sql`(${access.status} is',
    to: 'const isAsLeft = sql`(${access.id} is not null or ${access.status} is',
  },
  {
    name: 'nobody wakes a bulk change that has stopped',
    file: 'jobs/minutely.ts',
    from: '    await wakeBulkChanges(env, ended.stores)\n',
    to: '',
  },
  {
    name: 'a bulk change is reverted twice',
    file: 'domain/bulk/revert.ts',
    from: 'or(isNull(first.finished_at), isReverted(), ',
    to: 'or(isNull(first.finished_at), ',
  },
]
