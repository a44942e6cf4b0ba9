/** `--product`: what a file calls products by other names than the store. */
import { foldName } from '../packages/import/normalize-name.ts'
import type { Product } from '../packages/import/products.ts'
import { Stop } from './import-options.ts'

/** Throws Stop for a text that would name two products, or none. */
export function withAliases(products: Product[], aliases: Product[]): Product[] {
  const all = [...products]
  for (const { name, slug } of aliases) {
    if (!products.some((product) => product.slug === slug))
      throw new Stop(2, `--product: the store has no product with the slug ${JSON.stringify(slug)}.`)
    if (all.some((product) => product.slug === name || foldName(product.name) === foldName(name)))
      throw new Stop(2, `--product: ${JSON.stringify(name)} is the name or the slug of a product already.`)
    all.push({ name, slug })
  }
  return all
}
