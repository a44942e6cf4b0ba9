/**
 * The service reports the faults of an item in steps: what is missing, then what is invalid, then what the store does not
 * have. Whoever corrects a file needs all of them at once, so what was rejected is taken out, and a dry run checks the
 * rest. The price: up to three more requests for a batch that has faulty rows.
 */
import { REQUIRED_FIELDS } from '../../src/modules/users/user-fields.ts'
import { isObject } from '../../src/lib/json.ts'
import { CUSTOM_FIELD } from './fields.ts'
import type { Reason } from './reasons.ts'
import { FULL_NAME, setBy } from './whole-name.ts'

type Item = Record<string, unknown>

const ROUNDS = 3
const REQUIRED: readonly string[] = REQUIRED_FIELDS
/** The service compares emails last. */
const LAST = new Set(['email_taken', 'repeated'])

/** Returns all reasons of each row. `check` makes a dry run of items; `indexes` are those of their rows. */
export async function allFaults(
  rows: { item: Item; reasons: Reason[] }[],
  check: (items: Item[], indexes: number[]) => Promise<Reason[][]>,
): Promise<Reason[][]> {
  const all = rows.map(({ reasons }) => [...reasons])
  let rest = rows.flatMap(({ item, reasons }, index) => {
    const left = withoutFaults(item, reasons)
    return left === undefined ? [] : [{ index, item: left }]
  })
  for (let round = 0; round < ROUNDS && rest.length > 0; round++) {
    const found = await check(
      rest.map(({ item }) => item),
      rest.map(({ index }) => index),
    )
    rest = rest.flatMap(({ index, item }, i) => {
      const known = all[index] ?? []
      const more = (found[i] ?? []).filter((reason) => !known.some((each) => isSame(each, reason)))
      known.push(...more)
      const left = more.length === 0 ? undefined : withoutFaults(item, more)
      return left === undefined ? [] : [{ index, item: left }]
    })
  }
  return all
}

function isSame(a: Reason, b: Reason): boolean {
  return a.column === b.column && a.code === b.code && a.field === b.field && a.about === b.about
}

/** Undefined if there is nothing left to check: the row cannot be read, or the service has come to its end. */
function withoutFaults(item: Item, reasons: Reason[]): Item | undefined {
  if (reasons.some(({ field, code = '' }) => field === undefined || LAST.has(code))) return undefined
  const { custom_fields: custom, product_accesses: accesses } = item
  const left = {
    ...item,
    ...(isObject(custom) && { custom_fields: { ...custom } }),
    ...(Array.isArray(accesses) && {
      product_accesses: accesses.map(copyOf),
    }),
  }
  for (const { field = '' } of reasons) remove(left, field)
  if (Array.isArray(left['product_accesses'])) left['product_accesses'] = left['product_accesses'].filter(isObject)
  return left
}

function copyOf(value: unknown): unknown {
  return isObject(value) ? { ...value } : value
}

function remove(item: Item, field: string): void {
  const { custom_fields: custom, product_accesses: accesses } = item
  const [, index, part = ''] = /^product_accesses\.(\d+)(?:\.(\w+))?$/.exec(field) ?? []
  const access: unknown = index !== undefined && Array.isArray(accesses) ? accesses[Number(index)] : undefined
  // Nobody has this email, and a dry run writes nothing.
  if (field === 'email') item['email'] = `${crypto.randomUUID()}@example.com`
  else if (field === FULL_NAME) for (const each of setBy(field)) item[each] = 'x'
  else if (REQUIRED.includes(field)) item[field] = 'x'
  else if (field.startsWith(CUSTOM_FIELD) && isObject(custom)) delete custom[field.slice(CUSTOM_FIELD.length)]
  else if (isObject(access) && ['status', 'access_due_date'].includes(part)) delete access[part]
  else if (isObject(access) && Array.isArray(accesses)) accesses[Number(index)] = undefined
  else delete item[field]
}
