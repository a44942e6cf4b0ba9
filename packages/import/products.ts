/** Finds the products that a cell names: by their names, as people write them, or by their slugs. */
import { isObject } from '../../src/lib/json.ts'
import type { Client } from './client.ts'
import { foldName } from './normalize-name.ts'
import { listPages } from './pages.ts'
import { textIn } from './text-in.ts'

export interface Product {
  name: string
  slug: string
}

/** A product of a cell, or the text that names none. */
export type Named = { slug: string } | { problem: 'unknown_product' | 'ambiguous_product'; about: string }

export type FindProducts = (cell: string) => Named[]

const LIST_SEPARATORS = [/[\r\n]+/, ';', ',']
const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** More texts than these would not be products, but another column. */
const MAX_UNKNOWN = 200

/** The texts of cells that name no product, with the numbers of their cells: one question each, however many rows have it. */
export function unknownProducts(products: Product[]): { add: (cell: string) => void; list: () => [string, number][] } {
  const find = findProducts(products)
  const slugs = new Set(products.map(({ slug }) => slug))
  const found = new Map<string, number>()
  return {
    add(cell) {
      for (const named of find(cell)) {
        const text = 'slug' in named ? (slugs.has(named.slug) ? undefined : named.slug) : unknownIn(named)
        if (text !== undefined && (found.has(text) || found.size < MAX_UNKNOWN))
          found.set(text, (found.get(text) ?? 0) + 1)
      }
    },
    list: () => [...found].toSorted(([, a], [, b]) => b - a),
  }
}

function unknownIn({ problem, about }: Extract<Named, { problem: string }>): string | undefined {
  return problem === 'unknown_product' ? about : undefined
}

/** Undefined if the token may not read them. Throws Refused for every other response that is an error. */
export function readProducts(client: Pick<Client, 'call'>): Promise<Product[] | undefined> {
  return listPages(client, '/products', (record) => {
    const [name, slug] = [textIn(record, 'name'), textIn(record, 'slug')]
    return isObject(record) && name !== undefined && slug !== undefined ? [{ name, slug }] : []
  })
}

/**
 * A cell is first the slug or the name of one product, then slugs or names between bars, or between other separators if all
 * of them are known, then slugs between blanks. A slug
 * comes before a name: otherwise a product whose slug is the name of another one could not be named, and a file of slugs
 * would mean something else once the token may read the products. Without the products, a cell has slugs only.
 */
export function findProducts(products: Product[] = []): FindProducts {
  const byName = Map.groupBy(products, ({ name }) => foldName(name))
  const slugs = new Set(products.map(({ slug }) => slug))

  function named(text: string): Named[] | undefined {
    if (slugs.has(text)) return [{ slug: text }]
    const found = byName.get(foldName(text)) ?? []
    const [first] = found
    if (first === undefined) return undefined
    return [found.length === 1 ? { slug: first.slug } : { problem: 'ambiguous_product', about: text }]
  }

  function slugsIn(text: string): Named[] {
    const words = text.split(/\s+/).filter((word) => word !== '')
    // The list may be older than a product, so a word that may be a slug is left to the service.
    const isName =
      products.length > 0 && (words.length > 1 || !SLUG.test(text)) && !words.some((word) => slugs.has(word))
    return isName ? [{ problem: 'unknown_product', about: text }] : words.map((slug) => ({ slug }))
  }

  /** Forms write several answers on lines, or with semicolons or commas, which a name may have as well. */
  function listed(text: string): Named[] | undefined {
    for (const separator of LIST_SEPARATORS) {
      const parts = partsOf(text, separator)
      const found = parts.length > 1 || parts[0] !== text ? parts.map(named) : []
      if (found.length > 0 && found.every((each) => each !== undefined)) return found.flat()
    }
    return undefined
  }

  return (cell) => named(cell) ?? partsOf(cell, '|').flatMap((part) => named(part) ?? listed(part) ?? slugsIn(part))
}

function partsOf(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
