/**
 * Each endpoint of a store has a URL of its own, however it is spelled: with one URL twice, a batch of a hundred would send
 * 1,600 requests to the same receiver. Only the URL parser knows which spellings are the same, and SQL has none. So a change is
 * rejected as long as the store has a URL that it was not compared with. The rejection brings those, and unless one of them is
 * the same, the change is sent again with their list. An endpoint that somebody creates meanwhile is not in the list, so of
 * two changes at once, the second one is compared with the first.
 */
import { and, eq, exists, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { isOfStore } from '../../db/ids.ts'
import { webhook_endpoints } from '../../db/schema/stores.ts'
import { orm, params } from '../../db/statement.ts'
import { DomainError } from '../../change/errors.ts'
import { permittedStore } from '../../change/event.ts'
import { type RequestContext, type Rule, rule } from '../../change/request.ts'
import { DATABASE } from '../../limits.ts'
import { requestUrl } from './urls.ts'

/** The URLs that the new one was compared with, as a JSON list. */
export const comparedParams = params('compared_urls')

/** The other endpoints of the store. */
export const other = alias(webhook_endpoints, 'other')

interface OwnUrl {
  /** The new URL. */
  url: SQLWrapper
  /** Whether the change sets a URL. */
  when?: SQL | undefined
  /** Leaves out the endpoint that is changed. */
  isOther?: SQL | undefined
}

export function ownUrlRules({ url, when, isOther }: OwnUrl): Rule[] {
  const ofStore = and(isOfStore(other.id, permittedStore), isOther)
  const isUncompared = sql`${other.url} not in (select value from json_each(${comparedParams.compared_urls}))`
  const same = orm
    .select({ id: other.id })
    .from(other)
    .where(and(ofStore, eq(other.url, url)))
  const uncompared = orm.select({ id: other.id }).from(other).where(and(ofStore, isUncompared))
  const urls = orm
    .select({ urls: sql`json_group_array(${other.url})` })
    .from(other)
    .where(and(ofStore, isUncompared))
  return [
    rule('endpoint_url_taken', and(when, exists(same))),
    rule('endpoint_urls_not_compared', and(when, exists(uncompared)), { urls: sql`json(${urls})` }),
  ]
}

/** Far more often than others can change the URLs of a store while one request is made. */
const MAX_ROUNDS = 100

/**
 * Makes the change once its URL was compared with all others of the store. Throws `endpoint_url_taken`, and what the change
 * throws.
 */
export async function withOwnUrl<T>(
  url: string,
  context: RequestContext,
  change: (context: RequestContext, compared_urls: string) => Promise<T>,
): Promise<T> {
  const compared: string[] = []
  for (let round = 0; ; round++) {
    try {
      // The numbers go on, or the fencing token of an earlier round would end this one as superseded.
      const earlierAttempts = round * (DATABASE.retries + 1)
      return await change({ ...context, earlierAttempts }, JSON.stringify(compared))
    } catch (error) {
      const urls = urlsIn(error)
      if (urls === undefined || round === MAX_ROUNDS) throw error
      if (urls.some((each) => requestUrl(each) === requestUrl(url))) throw new DomainError('endpoint_url_taken', {})
      compared.push(...urls)
    }
  }
}

function urlsIn(error: unknown): string[] | undefined {
  if (!(error instanceof DomainError) || error.code !== 'endpoint_urls_not_compared') return undefined
  return 'urls' in error.details ? error.details.urls : undefined
}
