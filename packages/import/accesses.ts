/** Reads the columns about products: which ones, and the status and due date of the access to each. */
import { dueDateOf } from './due-dates.ts'
import type { FindProducts } from './products.ts'
import type { Reason } from './reasons.ts'
import type { DateOrder } from './source.ts'
import { statusNamed } from './statuses.ts'

export interface Accesses {
  list: Record<string, unknown>[]
  /** The days and times of the store among the due dates, by the indexes of their accesses, as an export writes them. */
  local: ReadonlyMap<number, string>
  reasons: Reason[]
}

interface Options {
  dates: DateOrder | undefined
  zone: string
  find: FindProducts
  /** True if the cell of the products is an error, so that only the others can be checked. */
  isFaulty: boolean
  /** Returns the column of a field. */
  nameOf: (field: string) => string
}

const EXPLANATIONS = {
  unknown_product: 'the store has no product with this name or slug',
  ambiguous_product: 'several products of the store have this name; write the slug',
}

/** `product` has products. The other columns have one value for all of them, or one for each, separated by bars. */
export function accessesOf(cells: Map<string, string>, { dates, zone, find, isFaulty, nameOf }: Options): Accesses {
  const reasonOf = (field: string, code: string, explanation: string) => ({
    column: nameOf(field),
    code,
    field,
    explanation,
  })
  const products = find(cells.get('product') ?? '')
  const local = new Map<Record<string, unknown>, string>()
  const reasons: Reason[] = products.flatMap((product) =>
    'problem' in product
      ? [{ ...reasonOf('product', product.problem, EXPLANATIONS[product.problem]), about: product.about }]
      : [],
  )
  const all: Record<string, unknown>[] = isFaulty
    ? [{}]
    : products.map((product) => ('slug' in product ? { slug: product.slug } : {}))
  for (const column of ['product_status', 'product_due_date']) {
    const cell = cells.get(column)
    if (cell === undefined) continue
    const values = cell.split('|').map((value) => value.trim())
    if (all.length === 0) {
      reasons.push(reasonOf(column, 'no_product', 'has a value, but the row has no product'))
      continue
    }
    if (!isFaulty && values.length > 1 && values.length !== all.length) {
      reasons.push(reasonOf(column, 'values', `has ${values.length} values for ${all.length} products`))
      continue
    }
    for (const [i, access] of all.entries()) {
      const value = values[values.length === 1 ? 0 : i] ?? ''
      if (value === '') continue
      if (column === 'product_status') {
        access['status'] = statusNamed(value) ?? value
        continue
      }
      const due = dueDateOf(value, { order: dates, zone })
      if ('date' in due) {
        access['access_due_date'] = due.date
        if (due.local !== undefined) local.set(access, due.local)
      } else if (!reasons.some(({ field }) => field === column))
        reasons.push(reasonOf(column, due.problem, due.explanation))
    }
  }
  const list = all.filter((access) => 'slug' in access)
  const texts = list.flatMap((access, i): [number, string][] => {
    const text = local.get(access)
    return text === undefined ? [] : [[i, text]]
  })
  return { list, local: new Map(texts), reasons }
}
