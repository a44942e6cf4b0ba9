import { useEffect, useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { type Failure, toFailure } from '../../api/failure.ts'
import { Backoff } from '../../api/in-parallel.ts'
import { type AccessFilter, toQuery } from './filter.ts'

/** A run with this many accesses takes some minutes at the service's usual quota. */
export const MAX_SELECTED = 2_000

interface State {
  /** The store and the filters under which the accesses were selected. */
  name: string
  keys: ReadonlySet<string>
  /** Set while the ids of all matches are being read. */
  lookup: AbortController | undefined
  failure: Failure | undefined
}

/**
 * The selection is kept from page to page. Other filters clear it, or the operator could change accesses that the list
 * does not show.
 */
export function useSelection(store: string, filter: AccessFilter) {
  const name = JSON.stringify([store, filter])
  const empty: State = { name, keys: new Set(), lookup: undefined, failure: undefined }
  const [stored, setState] = useState(empty)
  const state = stored.name === name ? stored : empty
  const { lookup } = state
  // If the filters or the screen change, the result is no longer needed.
  useEffect(() => () => lookup?.abort(), [lookup])

  const set = (keys: ReadonlySet<string>) => setState({ ...empty, keys })
  const selectAll = async () => {
    const controller = new AbortController()
    const { signal } = controller
    const found = new Set<string>()
    const show = (rest: Partial<State>) => setState({ ...empty, keys: new Set(found), ...rest })
    show({ lookup: controller })
    try {
      for await (const ids of idsOf(store, filter, signal)) {
        ids.slice(0, MAX_SELECTED - found.size).forEach((id) => found.add(id))
        if (found.size >= MAX_SELECTED) break
        show({ lookup: controller })
      }
      if (!signal.aborted) show({})
    } catch (error) {
      if (error !== signal.reason) show({ failure: toFailure(error) })
    }
  }
  const stop = () => {
    lookup?.abort()
    setState({ ...state, lookup: undefined })
  }
  return { ...state, isLoadingAll: lookup !== undefined, set, selectAll, stop }
}

/** Yields the ids of all matches, one page at a time. */
async function* idsOf(store: string, filter: AccessFilter, signal: AbortSignal) {
  const backoff = new Backoff(signal, () => {})
  let after: string | undefined
  do {
    const query = { ...toQuery(filter), limit: 100, ...(after !== undefined && { after }) }
    const page: Schemas['ProductAccessPage'] = await backoff.run(() =>
      bodyOf(
        api.GET('/admin/stores/{store_id}/product_accesses', { params: { path: { store_id: store }, query }, signal }),
      ),
    )
    yield page.data.map(({ id }) => id)
    after = page.next ?? undefined
  } while (after !== undefined)
}
