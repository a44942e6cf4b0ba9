import { api, bodyOf, type Schemas } from './client.ts'

/** As many as a menu can be searched through; the screen of the stores pages through all. */
const MAX_IN_MENU = 1000

export async function listAllStores(): Promise<Schemas['Store'][]> {
  const stores: Schemas['Store'][] = []
  let after: string | undefined
  do {
    const query = { limit: 100, ...(after !== undefined && { after }) }
    const page = await bodyOf(api.GET('/admin/stores', { params: { query } }))
    stores.push(...page.data)
    after = page.next ?? undefined
  } while (after !== undefined && stores.length < MAX_IN_MENU)
  return stores
}
