/** Grants several products to several people with the API's batches. */
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import type { User } from './draft.ts'

/** The API's limit for a batch. */
export const MAX_ITEMS = 100

/** One product for one person. */
interface Item {
  user: User
  product: Schemas['Product']
}

export type Result = Item & Pick<Schemas['BatchResult'], 'status' | 'id' | 'error'>

/** What the API has returned so far, by user, product and due date. */
export type Results = Map<string, Result>

interface Batches {
  store: string
  people: User[]
  products: Schemas['Product'][]
  /** Undefined if the default of each product applies. */
  dueDate: string | null | undefined
  /** The results of earlier attempts. Those of this one are added. */
  results: Results
  /** Is called before each batch with the number of items that have a result, and the number of all. */
  onProgress: (done: number, all: number) => void
  /** Is called before each batch. If it returns true, no more of them are sent. */
  isStopped: () => boolean
}

export interface Outcome {
  granted: number
  /** The accesses that people already had. */
  existing: Result[]
  failed: Result[]
  /** How many accesses were not sent, because the operator has closed the dialog. */
  unsent: number
  /** The people who have every access now. */
  complete: User[]
}

/**
 * Sends one batch after the other, and throws the first failure. What was granted by then stays and is not sent again
 * with the same due date: it would count as an access that existed before. With another due date it is sent again and
 * does count as one.
 */
export async function grantInBatches(input: Batches): Promise<Outcome> {
  const { people, products, dueDate, results, onProgress, isStopped } = input
  const items = people.flatMap((user) => products.map((product) => ({ user, product })))
  const resultOf = ({ user, product }: Item) => results.get(keyOf(user, product, dueDate))
  const isDone = (item: Item) => resultOf(item)?.status === 201 || resultOf(item)?.status === 200
  const pending = items.filter((item) => !isDone(item))
  for (let at = 0; at < pending.length && !isStopped(); at += MAX_ITEMS) {
    onProgress(items.length - pending.length + at, items.length)
    const sent = await sendBatch(input, pending.slice(at, at + MAX_ITEMS))
    for (const result of sent) results.set(keyOf(result.user, result.product, dueDate), result)
  }
  const incomplete = new Set(items.filter((item) => !isDone(item)).map(({ user }) => user.id))
  const known = items.flatMap((item) => resultOf(item) ?? [])
  return {
    ...totalsOf(known),
    unsent: items.length - known.length,
    complete: people.filter(({ id }) => !incomplete.has(id)),
  }
}

async function sendBatch({ store, dueDate }: Batches, items: Item[]): Promise<Result[]> {
  const { results } = await bodyOf(
    api.POST('/admin/stores/{store_id}/product_accesses/batch', {
      params: { path: { store_id: store } },
      body: {
        // An access that exists is not changed. So the same batch can be sent again if its response was lost.
        on_existing: 'skip',
        items: items.map(({ user, product }) => ({
          user_id: user.id,
          product_id: product.id,
          ...(dueDate !== undefined && { access_due_date: dueDate }),
        })),
      },
    }),
  )
  return results.flatMap(({ index, status, id, error }) => {
    const item = items[index]
    return item === undefined ? [] : [{ ...item, status, ...(id !== undefined && { id }), ...(error && { error }) }]
  })
}

function totalsOf(results: Result[]): Omit<Outcome, 'complete' | 'unsent'> {
  return {
    granted: results.filter(({ status }) => status === 201).length,
    existing: results.filter(({ status }) => status === 200),
    failed: results.filter(({ error }) => error !== undefined),
  }
}

function keyOf(user: User, product: Schemas['Product'], dueDate: string | null | undefined): string {
  return `${user.id} ${product.id} ${dueDate}`
}
