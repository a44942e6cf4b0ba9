/**
 * Finds users by what they have in a custom field, ordered by number. Custom fields have no index, so a request examines a
 * bounded number of users. A page may therefore be short, and its cursor says where to continue.
 */
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type User, users } from '../../db/schema/stores.ts'
import { named, orm, params, statement } from '../../db/statement.ts'
import { SEARCH } from './limits.ts'
import { ofEach } from '../../lib/names.ts'
import type { RequestContext } from '../../change/request.ts'
import {
  found,
  inBothOrders,
  orderBy,
  type Page,
  pageParams,
  searched,
  searchPageOf,
  startOf,
} from '../../change/pages.ts'
import {
  examinedStore,
  type FieldFilter,
  fieldFilterValues,
  fieldParams,
  passesFieldFilter,
  readFiltered,
  withExaminedStore,
} from '../custom-fields/field-filter.ts'
import { filterParams, filterValues, type ListRequest, passesFilters, rangeOf, RANGES, rangesOf } from './read-users.ts'

interface FilterRequest extends ListRequest {
  custom_fields: FieldFilter
  /** How many users are examined. A page that is not full reads them twice. */
  examined?: number
}

const searchParams = { ...pageParams, ...filterParams, ...fieldParams, ...params('examined') }

const searches = ofEach(RANGES, (name) =>
  inBothOrders((order) =>
    statement(searchParams, () => {
      const ids = searched({
        table: users,
        id: users.id,
        range: rangesOf(examinedStore)[name](order),
        order: orderBy(order, users.id),
        // All filters, because a range has only some of them.
        matches: and(passesFilters(examinedStore), passesFieldFilter(users.custom_fields)),
        examined: searchParams.examined,
        count: pageParams.count,
      })
      return orm
        .with(withExaminedStore())
        .select(named({ ...getTableColumns(users), matches: found.matches }))
        .from(ids)
        .innerJoin(users, eq(users.id, found.id))
        .orderBy(orderBy(order, users.id))
    }),
  ),
)

/** Throws `unknown_custom_fields`. */
export async function filterUsers(
  db: Db,
  context: RequestContext,
  { limit, order = 'asc', after = startOf(order), examined = SEARCH.names, custom_fields, ...filters }: FilterRequest,
): Promise<Page<User>> {
  const values = { ...filterValues(filters), ...fieldFilterValues(custom_fields), after, count: limit + 1, examined }
  const rows = await readFiltered(db, context, searches[rangeOf(filters)][order](values), custom_fields)
  return searchPageOf(rows, limit, order)
}
