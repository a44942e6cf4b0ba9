/** The statements for a restored database, in the order of their execution. No value in them comes from outside. */

/**
 * How far the ids of a store move on. It is more than a store can write in the 30 days that a restore can go back, at six
 * writes a second without a pause. A store has 2^32 ids, so 255 restores are possible.
 */
export const GAP = 2 ** 24

const SHIFT = 32
const LAST = 2 ** SHIFT - 1

const newestOf = (store: string) =>
  `(select max(id) from events where id > ${store} << ${SHIFT} and id < (${store} + 1) << ${SHIFT})`

/** `run` is a fresh UUID, `now` is in milliseconds since the epoch. */
export function restoreStatements({ run, now }: { run: string; now: number }) {
  if (!/^[0-9a-f-]{36}$/.test(run) || !Number.isSafeInteger(now)) throw new TypeError('not a run at a time')
  return {
    /** One event in each store and among the operators: their ids must move on even if no operator is left. */
    events: `insert into events (id, type, created_at, request_id, attempt, actor_id, subject_id, previous_id, data)
      select newest + ${GAP}, 'store.restored', ${now}, '${run}', 0, null, coalesce(store_id, newest + ${GAP}), event_id,
        json_object('gap_after', newest & ${LAST})
      from (select s.id as store_id, s.event_id, coalesce(${newestOf('k.number')}, k.number << ${SHIFT}) as newest
        from (select 0 as number union all select id >> ${SHIFT} from stores) k left join stores s on s.id >> ${SHIFT} = k.number)
      where (newest & ${LAST}) + ${GAP} < ${LAST - 1}`,
    /** Each store refers to the newest event about it. */
    stores: `update stores set event_id = (select id from events where id = ${newestOf('(stores.id >> 32)')} and request_id = '${run}')
      where exists (select 1 from events where id = ${newestOf('(stores.id >> 32)')} and request_id = '${run}')`,
    /** `stores` is how many events are expected, `moved` how many there are. */
    counts: `select (select count(*) + 1 from stores) as stores,
      (select count(*) from (select 0 as number union all select id >> ${SHIFT} from stores) k
        join events e on e.id = ${newestOf('k.number')} where e.request_id = '${run}') as moved`,
    /** The valid tokens. Some may have been revoked, or may have lost a leaked secret, since the restored moment. */
    tokens: `select s.slug as store, t.id & ${LAST} as id, t.name, t.scopes, t.created_at, t.last_used_at
      from access_tokens t left join stores s on s.id >> ${SHIFT} = t.id >> ${SHIFT}
      where t.revoked_at is null and coalesce(t.expires_at > ${now}, 1) order by t.id`,
  }
}
