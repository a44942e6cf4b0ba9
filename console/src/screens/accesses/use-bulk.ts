/**
 * Changes several accesses. Each one is read first, and the operator sees what would change. It is then written with
 * `If-Match`, so a change that someone else makes in between is not overwritten. If one access fails, the others
 * continue.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, bodyOf, type Schemas, withEtag } from '../../api/client.ts'
import { type Failure, toFailure } from '../../api/failure.ts'
import { Backoff, inParallel } from '../../api/in-parallel.ts'
import { type BulkChange, type Plan, planOf } from './plan.ts'

export type RowState =
  | 'waiting'
  | 'planned'
  | 'unchanged'
  | 'unreadable'
  | 'done'
  /** Someone else has changed the access since it was read (412). */
  | 'conflict'
  | 'rejected'
  /** The access may have been changed. */
  | 'noResponse'
  | 'stopped'

export interface BulkRow {
  id: string
  state: RowState
  access?: Schemas['ProductAccess']
  etag?: string
  plan?: Plan
  failure?: Failure
}

export type Phase = 'choosing' | 'reading' | 'planned' | 'running' | 'finished'

interface Progress {
  phase: Phase
  change: BulkChange | undefined
  rows: ReadonlyMap<string, BulkRow>
  /** The end of the pause that the service has asked for, in milliseconds since 1970. */
  pausedUntil: number
}

export interface Bulk extends Progress {
  read: (ids: string[], change: BulkChange) => Promise<void>
  run: () => Promise<void>
  stop: () => void
  reset: () => void
}

const IDLE: Progress = { phase: 'choosing', change: undefined, rows: new Map(), pausedUntil: 0 }

export function useBulk(store: string): Bulk {
  const client = useQueryClient()
  const [progress, setProgress] = useState(IDLE)
  const controller = useRef<AbortController>(undefined)
  const stop = useCallback(() => controller.current?.abort(), [])
  useEffect(() => stop, [stop])

  const put = (row: BulkRow) => setProgress((old) => ({ ...old, rows: new Map(old.rows).set(row.id, row) }))
  const begin = () => {
    stop()
    const { signal } = (controller.current = new AbortController())
    return { signal, backoff: new Backoff(signal, (pausedUntil) => setProgress((old) => ({ ...old, pausedUntil }))) }
  }

  return {
    ...progress,
    stop,
    reset: () => {
      stop()
      setProgress(IDLE)
    },
    read: async (ids, change) => {
      const { signal, backoff } = begin()
      const rows = new Map(ids.map((id) => [id, { id, state: 'waiting' as const }]))
      setProgress({ ...IDLE, phase: 'reading', change, rows })
      await inParallel(
        ids,
        async (id) => {
          const row = await readRow({ store, id, change, backoff })
          if (!signal.aborted) put(row)
        },
        signal,
      )
      setProgress((old) => (signal.aborted ? (old.phase === 'reading' ? IDLE : old) : { ...old, phase: 'planned' }))
    },
    run: async () => {
      const { signal, backoff } = begin()
      setProgress((old) => ({ ...old, phase: 'running' }))
      const planned = [...progress.rows.values()].filter(({ state }) => state === 'planned')
      await inParallel(
        planned,
        async (row) => put({ ...row, ...(await writeRow({ store, row, backoff, signal })) }),
        signal,
      )
      setProgress((old) => ({ ...old, phase: 'finished', rows: withStopped(old.rows) }))
      void client.invalidateQueries()
    },
  }
}

interface ReadOptions {
  store: string
  id: string
  change: BulkChange
  backoff: Backoff
}

async function readRow({ store, id, change, backoff }: ReadOptions): Promise<BulkRow> {
  try {
    const { body, etag } = await backoff.run(() =>
      withEtag(
        api.GET('/admin/stores/{store_id}/product_accesses/{id}', { params: { path: { store_id: store, id } } }),
      ),
    )
    const plan = planOf(body, change)
    return { id, state: 'reason' in plan ? 'unchanged' : 'planned', access: body, etag, plan }
  } catch (error) {
    return { id, state: 'unreadable', failure: toFailure(error) }
  }
}

interface WriteOptions {
  store: string
  row: BulkRow
  backoff: Backoff
  signal: AbortSignal
}

async function writeRow({ store, row, backoff, signal }: WriteOptions): Promise<Partial<BulkRow>> {
  const { id, plan, etag } = row
  if (plan === undefined || etag === undefined || 'reason' in plan) return { state: 'unchanged' }
  try {
    const access = await backoff.run(() =>
      bodyOf(
        api.PUT('/admin/stores/{store_id}/product_accesses/{id}', {
          params: { path: { store_id: store, id }, header: { 'If-Match': etag } },
          body: plan.field === 'status' ? { status: plan.to } : { access_due_date: plan.to },
        }),
      ),
    )
    return { state: 'done', access }
  } catch (error) {
    // The operator stopped the run during a pause, before this request was sent.
    if (error === signal.reason) return { state: 'stopped' }
    const failure = toFailure(error)
    const state = failure.status === 412 ? 'conflict' : failure.status === 0 ? 'noResponse' : 'rejected'
    return { state, failure }
  }
}

function withStopped(rows: ReadonlyMap<string, BulkRow>): ReadonlyMap<string, BulkRow> {
  return new Map(
    [...rows].map(([id, row]) => [id, row.state === 'planned' ? { ...row, state: 'stopped' as const } : row]),
  )
}
