import { useEffect, useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { type Failure, toFailure } from '../../api/failure.ts'
import { Pace } from '../../api/in-parallel.ts'
import { type AccessFilter, toQuery } from './filter.ts'

/** As many as a run of some minutes can change, at the service's usual quota. */
export const MAX_SELECTED = 2_000

interface State {
  /** The store and the filters that it was chosen under. */
  name: string
  keys: ReadonlySet<string>
  /** Set while all that fit are being looked for. */
  lookup: AbortController | undefined
  failure: Failure | undefined
}

/** What is chosen stays chosen from page to page, until other filters are set. */
export function useSelection(store: string, filter: AccessFilter) {
  const name = JSON.stringify([store, filter])
  const fresh: State = { name, keys: new Set(), lookup: undefined, failure: undefined }
  const [kept, setState] = useState(fresh)
  const state = kept.name === name ? kept : fresh
  const { lookup } = state
  // By other filters or another screen, nobody waits for it any more.
  useEffect(() => () => lookup?.abort(), [lookup])

  const set = (keys: ReadonlySet<string>) => setState({ ...fresh, keys })
  const selectAll = async () => {
    const begun = new AbortController()
    const { signal } = begun
    const found = new Set<string>()
    const show = (rest: Partial<State>) => setState({ ...fresh, keys: new Set(found), ...rest })
    show({ lookup: begun })
    try {
      for await (const ids of idsOf(store, filter, signal)) {
        ids.slice(0, MAX_SELECTED - found.size).forEach((id) => found.add(id))
        if (found.size >= MAX_SELECTED) break
        show({ lookup: begun })
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
  return { ...state, isLooking: lookup !== undefined, set, selectAll, stop }
}

/** All that fit, a page at a time. */
async function* idsOf(store: string, filter: AccessFilter, signal: AbortSignal) {
  const pace = new Pace(signal, () => {})
  let after: string | undefined
  do {
    const query = { ...toQuery(filter), limit: 100, ...(after !== undefined && { after }) }
    const page: Schemas['ProductAccessPage'] = await pace.ask(() =>
      bodyOf(
        api.GET('/admin/stores/{store_id}/product_accesses', { params: { path: { store_id: store }, query }, signal }),
      ),
    )
    yield page.data.map(({ id }) => id)
    after = page.next ?? undefined
  } while (after !== undefined)
}
