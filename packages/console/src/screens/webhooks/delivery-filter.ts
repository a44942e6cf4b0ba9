/** The filter and the order of the deliveries of an endpoint, as they are in the URL. */
import { choiceIn, type OrderSearch, readOrder, type Search } from '../../address.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export interface DeliveryFilter extends OrderSearch {
  state?: (typeof DELIVERY_STATES)[number]
}

/** Somebody may have typed the URL, so invalid values are ignored. */
export function deliveryFilter(search: Search): DeliveryFilter {
  const state = choiceIn(search['state'], DELIVERY_STATES)
  return { ...(state && { state }), ...readOrder(search) }
}
