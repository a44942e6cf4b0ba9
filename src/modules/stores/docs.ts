import type { toStore } from './admin-routes.ts'
import { choice, flag, integer, nullable, resource, text, time } from '../../openapi/fields.ts'
import { describeOperations, pageResponse, response } from '../../openapi/operation.ts'

const store = resource<ReturnType<typeof toStore>>('Store', 'A store.', {
  id: text('The id, which every path of the store contains.', 'academy'),
  name: text('The name of the store, for people.', 'Academy'),
  language: text('`ES`, `PT` or `EN`: the language of a user who is created on v1 without one.', 'EN'),
  time_zone: text(
    '`UTC`, or the IANA name of the time zone in which the store has its days, as it was sent. `extend`, bulk changes, imports, the console and files for spreadsheets count in it; statistics count in UTC.',
    'Europe/Lisbon',
  ),
  suspended: flag('True if every token of the store is rejected.', false),
  expiry_notice_days: integer(
    'How many days before the end of an access its event `product_access.expiring` is written; 0 if it is not.',
    7,
  ),
  place: choice(
    ['shared', 'own'],
    'Where the rows of the store are: `shared` (the database of all such stores) or `own` (one of its own).',
    'shared',
  ),
  jurisdiction: nullable(choice(['eu'], '`eu` if the database of the store stays in the European Union.', 'eu')),
  location: nullable(text('Near which region the database of the store was created, if it was chosen.', 'weur')),
  created_at: time('When the store was created.'),
})

const shown = response('Store', 'The store as it is now.', store)

export const stores = describeOperations('Stores', {
  createStore: {
    route: 'POST /admin/stores',
    summary: 'Create a store',
    description:
      'If another store has the id, the response is 422 `already_exists`. If the creation of a store with the place `own` is interrupted, the same request completes it, and so does any other request for the store.',
    fields: {
      id: '1 to 64 characters from a-z, 0-9, `-` and `_`, starting with a letter or a digit. If it is omitted, the service chooses one.',
      name: 'The name of the store, for people.',
      language: 'The language of a user who is created on v1 without one.',
      time_zone:
        '`UTC` (if omitted), or an IANA name of an area and a place, such as `Europe/Lisbon`: where the store has its days.',
      place:
        'Where the rows of the store are, for good: `shared` (the default, unless the service is configured otherwise) or `own`, a database of its own.',
      jurisdiction: '`eu` keeps the database of the store in the European Union. Only with the place `own`.',
      location:
        'Near which region the database is created; near the caller if omitted. Only with the place `own`; in the jurisdiction `eu` only `weur` and `eeur`.',
    },
    example: { id: 'academy', name: 'Academy', language: 'EN', time_zone: 'Europe/Lisbon' },
    responses: { 201: response('StoreCreated', 'The new store.', store) },
  },
  listStores: {
    route: 'GET /admin/stores',
    summary: 'List the stores',
    description:
      'All stores by id. Name, language, time zone and suspension of a store with the place `own` are at most two minutes old.',
    responses: { 200: pageResponse('StorePage', 'A page of stores.', store) },
  },
  getStore: {
    route: 'GET /admin/stores/{store_id}',
    summary: 'Read a store',
    description: 'The settings of the store.',
    responses: { 200: shown },
  },
  updateStore: {
    route: 'PATCH /admin/stores/{store_id}',
    summary: 'Change or suspend a store',
    description: 'Changes the fields that are sent and keeps the others. The change applies from the next request.',
    fields: {
      name: 'The name of the store, for people.',
      language: 'The language of a user who is created on v1 without one, from now on.',
      time_zone: 'Where the store has its days, from now on. No stored date moves.',
      suspended:
        'If it is true, every token of the store is rejected with 403 `store_suspended`. Operators can still work on the store.',
      expiry_notice_days:
        'How many days before the end of an access its event `product_access.expiring` is written. 0: it is not written. A new store has 7.',
    },
    example: { name: 'Academy of engines', expiry_notice_days: 14 },
    responses: { 200: shown },
  },
})
