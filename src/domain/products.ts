import { and, asc, eq, gt } from 'drizzle-orm'
import { type Db, query, run } from '../db/client.ts'
import { type Product, products } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { type Page, pageOf, type PageRequest } from './pages.ts'

/** Throws `already_exists`. */
export async function createProduct(db: Db, product: typeof products.$inferInsert): Promise<Product> {
  const [[row]] = await run(db, [query(db.orm.insert(products).values(product).onConflictDoNothing().returning())])
  if (row) return row
  throw new ApiError('already_exists', {
    details: [{ field: 'slug', value: product.slug, explanation: 'a product of this store has this slug' }],
  })
}

export async function listProducts(
  db: Db,
  { store_id, limit, after = 0 }: PageRequest<number> & { store_id: string },
): Promise<Page<Product>> {
  const select = db.orm
    .select()
    .from(products)
    .where(and(eq(products.store_id, store_id), gt(products.id, after)))
    .orderBy(asc(products.id))
    .limit(limit + 1)
  const [rows] = await run(db, [query(select)])
  return pageOf(rows, limit, (row) => row.id)
}
