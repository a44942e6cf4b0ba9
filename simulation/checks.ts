/** What must hold at the end of a run, of records, answers and logs; of events and webhooks see beside. */
import { isErased } from './check-events.ts'
import { userKey } from './client-users.ts'
import * as contract from './contract.ts'
import type { Evidence, StoreEvidence } from './evidence.ts'
import { describe, type History, type Told } from './history.ts'
import { findViolation } from './linearize.ts'
import { dataOf, type Row, toRow, toRows } from './rows.ts'

export function checkHistories({ operations }: History): string[] {
  return [...operations].flatMap(([key, history]) => {
    const violation = findViolation<unknown>(null, history)
    return violation === undefined ? [] : [`${key}: ${violation}`]
  })
}

/** One user per e-mail; each record has the event that made it; whoever was erased is gone, and the accesses too. */
export function checkRecords({ events, oldest, users, accesses }: StoreEvidence): string[] {
  const emails = users.map(({ email }) => String(email).toLowerCase())
  const made = (type: string) => new Set(events.filter((event) => event['type'] === type).map(({ id }) => id))
  const kinds: [string, Row[]][] = [
    ['user.created', users],
    ['product_access.granted', accesses],
  ]
  const isGone = (id: unknown) => isErased(events, id)
  const owner = (access: Row) => toRow(access['user'])['id']
  return [
    ...emails.filter((email, i) => emails.indexOf(email) !== i).map((email) => `two users have ${email}`),
    ...users.filter(({ id }) => isGone(id)).map(({ id }) => `user ${String(id)} is back after the erasure`),
    ...accesses
      .filter((access) => isGone(owner(access)))
      .map(({ id }) => `access ${String(id)} outlives its user's erasure`),
    ...kinds.flatMap(([type, rows]) => {
      const known = made(type)
      const there = new Set(rows.map(({ id }) => id))
      const orphans = rows.filter(({ id }) => !known.has(id) && Number(id) >= oldest)
      const missing = events.filter((event) => {
        const user = dataOf(event)['user_id']
        return event['type'] === type && !there.has(event['id']) && !isGone(user)
      })
      return [
        ...orphans.map(({ id }) => `${String(id)} is there without ${type}`),
        ...missing.map(({ id }) => `${type} of ${String(id)}, which is not there`),
      ]
    }),
  ]
}

/** A number is given once in a store, whatever it is given to. */
export function checkIds({ told }: History, { store, events }: StoreEvidence): string[] {
  const made = told.filter(
    ({ status, isReplay, ask }) =>
      status === 201 && !isReplay && ask.event !== undefined && storeOf(ask, store.tokens) === store.id,
  )
  const types = new Map(events.map(({ id, type }) => [id, type]))
  const seen = new Set<unknown>()
  return made.flatMap((each) => {
    const id = String(each.json['id'])
    const type = types.get(id)
    const wrong = seen.has(id) || (type !== undefined && type !== each.ask.event)
    seen.add(id)
    return wrong ? [`the number ${id} is that of ${String(type)} too: ${describe(each)}`] : []
  })
}

function storeOf({ path, token }: contract.Ask, tokens: { secret: string }[]): string | undefined {
  return (
    /^\/(?:v1|admin)\/stores\/([^/?]+)/.exec(path)?.[1] ?? (tokens.some(({ secret }) => secret === token) ? '' : '')
  )
}

/** A replay that is not the first answer shows a record that somebody has changed. */
export function checkReplays({ otherReplays, told }: History): string[] {
  return otherReplays.flatMap(({ store, told: replay, first }) => {
    const { id } = replay.json
    const isChange = ({ call, ask: { method, path, body } }: Told) =>
      call < replay.end &&
      ((/^(PATCH|PUT)$/.test(method) && path.includes(`/stores/${store}/`)) ||
        (path.includes(`/stores/${store}/`) && path.endsWith('/batch') && body !== undefined))
    const changes = told.filter(isChange).filter(({ ask }) => ask.path.endsWith('/batch') || isAbout(ask, id, replay))
    return changes.length > 0 ? [] : [`another replay than ${first}: ${describe(replay)} ${replay.text}`]
  })
}

/** An access shows its user, too. */
function isAbout({ path }: contract.Ask, id: unknown, { json }: Told): boolean {
  const user = toRow(json['user'])['id']
  return path.endsWith(`/${String(id)}`) || (user !== undefined && path.endsWith(`/users/${String(user)}`))
}

/** Nobody who was erased is in an answer to a request that was sent afterwards, nor in the database. */
export function checkErasures({ history, tables }: Evidence, { store, users }: StoreEvidence): string[] {
  const shown = new Set(users.map(({ external_id }) => external_id))
  const dump = [...tables.values()].join('')
  const unfounded = store.vainReplays.filter(({ end }) => !store.erasures.some(({ told }) => told.call < end))
  const wrong = unfounded.map((told) => `nobody was erased: ${describe(told)}`)
  return store.erasures
    .filter(({ told }) => told.status === 204)
    .flatMap(({ user, told: erasure }) => {
      const mark = store.marks.get(user) ?? ''
      const isHim = (row: Row) => String(row['id']) === user && 'email' in row && 'external_id' in row
      const back = history.told.filter(
        ({ call, ask, json }) =>
          call >= erasure.end &&
          storeOf(ask, []) === store.id &&
          [json, json['user'], ...toRows(json['data']).flatMap((row) => [row, row['user']])].some((row) =>
            isHim(toRow(row)),
          ),
      )
      return [
        ...back.map((told) => `${userKey(store, user)} is back after the erasure: ${describe(told)}`),
        ...(mark !== '' && dump.includes(mark) && !shown.has(mark) ? [`the database remembers ${mark}`] : []),
      ]
    })
    .concat(wrong)
}

/** Nothing personal and no secret in a log line or a webhook or an event, nothing of one store in an answer to another. */
export function checkSecrecy({ world, history, stores, deliveries, tables }: Evidence): string[] {
  const isSecret = (text: string) => text.includes(contract.PERSONAL) || contract.SECRETS.test(text)
  const impersonal = ['events', 'idempotency_keys', 'webhook_deliveries', 'stores', 'products']
  const leaks = history.told.filter(({ ask: { path, token }, text }) =>
    stores.some(
      (store) =>
        text.includes(contract.personal(store.id, '').trimEnd()) &&
        !path.includes(`/stores/${store.id}/`) &&
        !(path.startsWith('/v3/') && token.startsWith(store.tokenPrefix)),
    ),
  )
  return [
    ...world.logs.filter(isSecret).map((line) => `a log line holds what it must not: ${line}`),
    ...deliveries.filter(({ body }) => isSecret(body)).map(({ body }) => `a webhook holds what it must not: ${body}`),
    ...impersonal.filter((table) => isSecret(tables.get(table) ?? '')).map((table) => `${table} are personal`),
    ...leaks.map((told) => `an answer holds another store's data: ${describe(told)}`),
  ]
}
