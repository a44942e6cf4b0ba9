import type { toProduct } from './product-json.ts'
import { integer, nullable, resource, text, time } from '../../openapi/fields.ts'
import { describeOperations, pageResponse, response } from '../../openapi/operation.ts'

const product = resource<ReturnType<typeof toProduct>>('Product', 'Something that users get access to.', {
  id: text('The number of the product in its store.', '4'),
  name: text('The name of the product, for people.', 'Analytical engines'),
  slug: text('The short name, unique in its store.', 'analytical-engines'),
  type: text("The store's own word for the kind of product.", 'course'),
  expiration_days: nullable(
    integer('How many days an access lasts if it is granted without a due date. Null if there is no limit.', 365),
  ),
  created_at: time('When the product was created.'),
})

const fields = {
  name: 'The name of the product, for people. Accesses show it.',
  slug: 'The short name. If another product of the store has it, the response is 422 `already_exists`.',
  type: "The store's own word for the kind of product, such as `course`.",
}

export const products = describeOperations('Products', {
  createProduct: {
    route: 'POST /admin/stores/{store_id}/products',
    summary: 'Create a product',
    description: 'Users can be given access to it from the next request.',
    fields: {
      ...fields,
      expiration_days:
        'How many days an access lasts if it is granted without a due date. If it is omitted, there is no limit.',
    },
    example: { name: 'Difference engines', slug: 'difference-engines', type: 'course', expiration_days: 365 },
    responses: { 201: response('ProductCreated', 'The new product.', product) },
  },
  listProducts: {
    route: 'GET /v1/stores/{store_id}/products',
    summary: 'List the products of a store, or find one',
    description: 'All products by id, or the one with the slug.',
    query: { slug: 'The product with this slug: one product or none.' },
    responses: { 200: pageResponse('ProductPage', 'A page of products.', product) },
  },
  updateProduct: {
    route: 'PATCH /admin/stores/{store_id}/products/{id}',
    summary: 'Change a product',
    description:
      'Changes the fields that are sent and keeps the others. The due dates of existing accesses do not change.',
    fields: {
      ...fields,
      expiration_days:
        'How many days an access lasts that is granted from now on without a due date. Null means no limit.',
    },
    example: { name: 'Analytical engines, second edition', expiration_days: null },
    responses: { 200: response('Product', 'The product as it is now.', product) },
  },
  deleteProduct: {
    route: 'DELETE /admin/stores/{store_id}/products/{id}',
    summary: 'Delete a product',
    description: 'If there are accesses to the product, even closed ones, the response is 422 `in_use`.',
  },
})
