import * as z from 'zod'
import { createStoreBody, listStoresQuery, type toStore, updateStoreBody } from '../admin/stores.ts'
import { describes } from './describes.ts'
import { text, time } from './fields.ts'
import { answer, type Operation, operatorOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { queryOf, requestBody } from './requests.ts'

const store = describes<ReturnType<typeof toStore>>()(
  z
    .object({
      id: text('The id, which every path of the store begins with.'),
      name: text('What people call the store.'),
      language: text('`ES`, `PT` or `EN`: what a user gets who is created on v1 without a language.'),
      created_at: time('When the store was created.'),
    })
    .meta({ id: 'Store', description: 'A store.' }),
)

const example = { id: 'academy', name: 'Academy', language: 'EN', created_at: '2026-11-21T09:30:00.000Z' }

const shown = answer('Store', { description: 'The store as it is now.', schema: store, example })

export const stores: Operation[] = [
  operatorOperation({
    method: 'post',
    path: '/admin/stores',
    id: 'createStore',
    tag: 'Stores',
    summary: 'Create a store',
    description: 'An id that another store has is 422 `already_exists`.',
    body: requestBody('CreateStore', {
      schema: createStoreBody,
      fields: {
        id: '1 to 64 of a-z, 0-9, `-` and `_`, starting with a letter or digit. Left out: one is made up.',
        name: 'What people call the store.',
        language: 'What a user gets who is created on v1 without a language.',
      },
      example: { id: 'academy', name: 'Academy', language: 'EN' },
    }),
    answers: { 201: answer('StoreCreated', { description: 'The store that was created.', schema: store, example }) },
    errors: ['already_exists'],
  }),
  operatorOperation({
    method: 'get',
    path: '/admin/stores',
    id: 'listStores',
    tag: 'Stores',
    summary: 'List the stores',
    description: 'All stores, by id.',
    query: queryOf('listStores', listStoresQuery, {}),
    answers: { 200: pageAnswer('StorePage', { description: 'A page of stores.', record: store, example }) },
  }),
  operatorOperation({
    method: 'get',
    path: '/admin/stores/{store_id}',
    id: 'getStore',
    tag: 'Stores',
    summary: 'Read a store',
    description: 'What the store is called and which language its users get.',
    answers: { 200: shown },
  }),
  operatorOperation({
    method: 'patch',
    path: '/admin/stores/{store_id}',
    id: 'updateStore',
    tag: 'Stores',
    summary: 'Change or suspend a store',
    description: 'Changes what is sent and leaves the rest; takes effect with the next request.',
    body: requestBody('UpdateStore', {
      schema: updateStoreBody,
      fields: {
        name: 'What people call the store.',
        language: 'What a user gets from now on who is created on v1 without a language.',
        suspended: 'True: every token of the store is refused with 403 `store_suspended`, while operators go on.',
        expiry_notice_days:
          'How many days before an access ends its `product_access.expiring` is written; 0: none is. A new store has 7.',
      },
      example: { name: 'Academy of engines', expiry_notice_days: 14 },
      isOptional: true,
    }),
    answers: { 200: shown },
  }),
]
