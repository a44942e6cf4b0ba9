/** Breaks of what all changes have in common: attempts, keys, events, statistics, bulk changes, and where stores live. */
import type { BreaksOfFiles } from './break.ts'

export const CHANGE_BREAKS: BreaksOfFiles = {
  'change/event.ts': {
    'a batch that is sent again does not find its event': {
      replace: "rule('applied', $isApplied)",
      by: "rule('applied', and($isApplied, sql`${attemptParams.attempt} = 0`))",
    },
    'a late attempt is carried out': { replace: "rule('superseded', _)", by: "rule('superseded', sql`0`)" },
    'acts on an event of an earlier attempt': { in: 'isEventOfThisAttempt', drop: 'eq(_, attemptParams.attempt)' },
  },
  'change/request.ts': {
    'a token for any store': { drop: 'ne(storeRow.slug, contextParams.store_slug)' },
    'a revoked token is valid': { drop: 'isNotNull(tokenRow.revoked_at)' },
    'a token is valid at its end': {
      replace: 'lte(tokenRow.expires_at, $now)',
      by: 'sql`${tokenRow.expires_at} < ${$now}`',
    },
    'a suspended store accepts its tokens': { drop: "rule('store_suspended', _)" },
    'a viewer changes things': { drop: "rule('insufficient_scope', and(_, or(_, _)))" },
  },
  'change/commit.ts': {
    'a change without its event': {
      in: 'commit',
      replace: 'batch($db, $steps, $options)',
      by: 'batch($db, { ...$steps, event: undefined }, $options)',
    },
    'a token shows the time of its last use': { in: 'recordUse', replace: 'today: _($now)', by: 'today: $now' },
  },
  'change/many-records.ts': {
    'a batch acts on events of an earlier attempt': {
      in: 'isItemEventOfThisAttempt',
      drop: 'eq(_, attemptParams.attempt)',
    },
  },
  'change/create-record.ts': {
    'a user without the claim': { in: 'creationOf', drop: 'claim: _' },
    'a claim in a batch of its own': {
      in: 'creationOf',
      replace: 'await commitComputed($db, $context, { compute: $compute, result: $result, steps: $steps })',
      by: `await commitComputed($db, $context, {
        compute: $compute,
        result: $result,
        steps: (hashed) => ({ ...($steps)(hashed), claim: undefined }),
      }).then(async (created) => {
        const { claim } = ($steps)(undefined)
        if (claim) await commitComputed($db, $context, { compute: undefined, result: $result, steps: () => ({ claim }) })
        return created
      })`,
    },
  },
  'change/update-record.ts': {
    'an erasure leaves the user': {
      in: 'deletionOf',
      replace: 'statement({}, () => $delete($table))',
      by: "(none) => 'email' in $table ? undefined : statement({}, () => $delete($table))(none)",
    },
    'a deleted endpoint gets deliveries': {
      in: 'deletionOf',
      replace: 'statement({}, () => $delete($table))',
      by: "(none) => 'url' in $table ? undefined : statement({}, () => $delete($table))(none)",
    },
  },
  'change/idempotency-claims.ts': {
    'a used key counts as new': { replace: 'or(eq(_, claimParams.key), $previous)', by: '$previous' },
    'a used key accepts any request': {
      replace: "rule('replayed', _)",
      by: "rule('replayed', isNotNull(claim.key))",
    },
    'a key is kept a millisecond too long': {
      replace: 'gt($created, claimParams.oldest_claim)',
      by: 'sql`${$created} >= ${claimParams.oldest_claim}`',
    },
    'a key of any operation': { drop: 'eq(_, claimParams.operation)' },
    'a key that was used again expires with its first use': { drop: 'created_at: sql`excluded.created_at`' },
  },
  'http/respond/replays.ts': {
    'the order of the keys of a body matters': { replace: 'sortKeys: true', by: 'sortKeys: false' },
  },
  'modules/events/feed.ts': {
    'a page skips an event': {
      replace: '$hasMore && $last ? $last.id : $end',
      by: '$hasMore && $last ? $last.id + 1 : $end',
    },
    'a cursor is beyond what was read': { replace: '$hasMore && $last ? $last.id : $end', by: '$end' },
    'a page is ordered by time': { replace: 'orderBy($order, events.id)', by: 'orderBy($order, events.created_at)' },
    'a cursor from before a restore has expired': {
      replace: "`coalesce(${_} ->> 'gap_after', ${$number} - 1)`",
      by: '`${$number} - 1`',
    },
  },
  'modules/events/histories.ts': {
    'the cursor of a history is of another record': {
      replace: 'and($isEvent, eq(events.subject_id, _))',
      by: '$isEvent',
    },
  },
  'modules/events/purge-events.ts': {
    'events are deleted too early': {
      replace: 'gte($created, purgeParams.cutoff)',
      by: 'gte($created, sql`${purgeParams.cutoff} + 604000000`)',
    },
    'the newest event is deleted': { replace: 'lt($id, $end)', by: 'sql`${$id} <= ${$end}`' },
  },
  'modules/statistics/days.ts': {
    'an event counts on the day of the job': {
      in: 'addToDays',
      replace: '`${events.created_at} / `',
      by: "`${planned('count_at')} / `",
    },
    'two runs of the job count the same events': {
      in: 'addToDays',
      replace: 'isCurrentPlan()',
      by: "eq(store_stats.id, idIn(planned('store'), sql`1`))",
    },
  },
  'modules/statistics/plan.ts': {
    'accesses that begin to end are not counted': {
      replace: 'or(isNotNull($event), $hasEnded, _)',
      by: 'or(isNotNull($event), $hasEnded)',
    },
  },
  'modules/statistics/rows.ts': {
    'a chunk of a count omits a record': { replace: 'Math.max(...$ids)', by: '1 + Math.max(...$ids)' },
  },
  'modules/bulk-changes/read-bulk-changes.ts': {
    // Each of two guards suffices, the object's and that of the batch; both ask this.
    'a bulk change does not wait for others of its store': {
      in: 'firstInLine',
      replace: 'min($id)',
      by: 'sql`max(${$id})`',
    },
  },
  'modules/bulk-changes/cancel-bulk-change.ts': {
    'nobody has canceled a bulk change': { replace: 'actor: contextParams.caller', by: 'actor: null' },
  },
  'modules/bulk-changes/process-chunk.ts': {
    'the next chunk of a bulk change begins with the last access of this one': {
      replace: '`iif(${$isEnd}, ${$end}, ${$last})`',
      by: '`iif(${$isEnd}, ${$end}, ${$last} - 1)`',
    },
    'a bulk change keeps the ETag of an access': { drop: 'changed_by: _' },
    'a chunk that is sent again undoes what was changed meanwhile': {
      drop: 'eq(product_accesses.event_id, events.previous_id)',
    },
  },
  'modules/bulk-changes/end-events.ts': {
    'a bulk change ends again when its last chunk is sent again': {
      in: 'endEventOf',
      drop: 'isNull(bulk_changes.last_event_id)',
    },
  },
  'modules/bulk-changes/reached-accesses.ts': {
    'a bulk change goes on after it was canceled': { in: 'mayProcess', drop: 'isNull(_.finished_at)' },
    'a revert overwrites what was changed since': {
      replace: '`(${$access.status} is `',
      by: '`(${$access.id} is not null or ${$access.status} is `',
    },
    'a bulk change looks at what is in force when it gets there': {
      replace: 'isInForce($access, $bulk.created_at)',
      by: 'isInForce($access, sql`coalesce(${$bulk.started_at}, ${$bulk.created_at})`)',
    },
  },
  'modules/bulk-changes/revert-bulk-change.ts': {
    'a bulk change is reverted twice': {
      replace: 'or(isNull($first.finished_at), _, $isDryRun)',
      by: 'or(isNull($first.finished_at), $isDryRun)',
    },
  },
  'modules/store-directory/create-own-store.ts': {
    'the database of a store gets its store twice': { replace: 'notExists(_)', by: 'sql`1`' },
    'a store without its first event': { drop: 'event: _' },
    'a creation is never complete': { in: 'completeStore', drop: 'await completeEntry(..._)' },
  },
  'modules/store-directory/directory-entry.ts': {
    'two stores get one number': {
      replace: '`coalesce(max(${$number}) + 1, `',
      by: '`coalesce(max(${$number}), `',
    },
    'a store is complete before its database has it': {
      replace: 'completed_at: null',
      by: 'completed_at: contextParams.now',
    },
    'the same POST does not find what it has begun': { drop: "rule('unchanged', _)" },
    'another POST completes the store': { drop: 'eq(directory.name, _)' },
  },
  'modules/store-directory/directory.ts': {
    'the list of stores does not show a suspension': { drop: "'suspended_at'" },
  },
  'modules/store-database/next-run.ts': {
    'the alarm does not ring for a notice': {
      replace: '[$ends, $ending, _, ...$others]',
      by: '[$ends, $ending, ...$others]',
    },
  },
  'modules/store-directory/operator-copy.ts': {
    'the copy of an operator keeps the old role': {
      replace: '{ target: $id, set: $changed, setWhere: _ }',
      by: '{ target: $id, set: $changed, setWhere: sql`${access_tokens.hash} is not ${$changed.hash}` }',
    },
  },
  'modules/store-directory/locate-store.ts': {
    'a request does not complete the store': { replace: '$entry.completed_at !== null', by: '$entry.number > 0' },
  },
  'modules/store-database/object.ts': {
    'the alarm is set after the work': {
      in: 'alarm',
      replace: 'const $soon = Date.now() + OWN_STORE.soonMs; await this.#setAlarm($soon)',
      by: 'const $soon = Date.now() + OWN_STORE.soonMs',
    },
    'something waits between a change and its alarm': {
      replace: 'await this.#noteChange()',
      by: '{ await this.ctx.storage.getAlarm(); await this.#noteChange() }',
    },
  },
}
