/** The filter of the deliveries of an endpoint, as it is in the URL. */
import { choiceIn, type Search } from '../../address.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export interface DeliveryFilter {
  state?: (typeof DELIVERY_STATES)[number]
}

/** Somebody may have typed the URL, so invalid values are ignored. */
export function deliveryFilter(search: Search): DeliveryFilter {
  const state = choiceIn(search['state'], DELIVERY_STATES)
  return state ? { state } : {}
}
