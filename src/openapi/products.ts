import * as z from 'zod'
import { createProductBody, type toProduct, updateProductBody } from '../admin/products.ts'
import { listQuery } from '../wire/fields.ts'
import { describes } from './describes.ts'
import { integer, text, time } from './fields.ts'
import { answer, done, type Operation, operatorOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { queryOf, requestBody } from './requests.ts'

const PRODUCTS = '/admin/stores/{store_id}/products'

const product = describes<ReturnType<typeof toProduct>>()(
  z
    .object({
      id: text('The number of the product in its store.'),
      name: text('What people call the product.'),
      slug: text('The short name, unique in its store.'),
      type: text("The store's own word for the kind of product."),
      expiration_days: integer(
        'For how many days an access lasts unless it names a due date; null: no limit.',
      ).nullable(),
      created_at: time('When the product was created.'),
    })
    .meta({ id: 'Product', description: 'What users are given access to.' }),
)

const example = {
  id: '4',
  name: 'Analytical engines',
  slug: 'analytical-engines',
  type: 'course',
  expiration_days: 365,
  created_at: '2026-11-21T09:30:00.000Z',
}

const fields = {
  name: 'What people call the product; accesses show it.',
  slug: 'The short name: unique in its store, else 422 `already_exists`.',
  type: "The store's own word for the kind of product, such as `course`.",
}

export const products: Operation[] = [
  operatorOperation({
    method: 'post',
    path: PRODUCTS,
    id: 'createProduct',
    tag: 'Products',
    summary: 'Create a product',
    description: 'Users can be given access to it from the next request on.',
    body: requestBody('CreateProduct', {
      schema: createProductBody,
      fields: {
        ...fields,
        expiration_days: 'For how many days an access lasts unless it names a due date. Left out: no limit.',
      },
      example: { name: 'Difference engines', slug: 'difference-engines', type: 'course', expiration_days: 365 },
    }),
    answers: {
      201: answer('ProductCreated', { description: 'The product that was created.', schema: product, example }),
    },
    errors: ['already_exists'],
  }),
  operatorOperation({
    method: 'get',
    path: PRODUCTS,
    id: 'listProducts',
    tag: 'Products',
    summary: 'List the products of a store',
    description: 'All of them, by id.',
    query: queryOf('listProducts', listQuery, {}),
    answers: { 200: pageAnswer('ProductPage', { description: 'A page of products.', record: product, example }) },
  }),
  operatorOperation({
    method: 'patch',
    path: `${PRODUCTS}/{id}`,
    id: 'updateProduct',
    tag: 'Products',
    summary: 'Change a product',
    description: 'Changes what is sent and leaves the rest. The due dates of accesses stay as they are.',
    body: requestBody('UpdateProduct', {
      schema: updateProductBody,
      fields: {
        ...fields,
        expiration_days: 'For how many days an access that is granted from now on lasts; null: no limit.',
      },
      example: { name: 'Analytical engines, second edition', expiration_days: null },
      isOptional: true,
    }),
    answers: { 200: answer('Product', { description: 'The product as it is now.', schema: product, example }) },
    errors: ['already_exists'],
  }),
  operatorOperation({
    method: 'delete',
    path: `${PRODUCTS}/{id}`,
    id: 'deleteProduct',
    tag: 'Products',
    summary: 'Delete a product',
    description: 'While there are accesses to it, closed ones too, the answer is 422 `in_use`.',
    answers: { 204: done },
    errors: ['in_use'],
  }),
]
