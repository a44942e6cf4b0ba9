import type { Words } from '../../words/words.ts'

type Advice = keyof Words['webhooks']['advice']

const OF_STATUS: Record<number, Advice> = {
  401: 'refused',
  403: 'refused',
  404: 'missing',
  405: 'method',
  406: 'format',
  408: 'slow',
  410: 'gone',
  413: 'large',
  415: 'format',
  429: 'busy',
  502: 'down',
  503: 'down',
  504: 'slow',
}

/** What to ask whoever runs the receiver, by its last response; null stands for none. Undefined for a success. */
export function adviceFor(status: number | null, { webhooks }: Words): string | undefined {
  if (status === null) return webhooks.advice.silent
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return webhooks.advice.redirect
  const known = OF_STATUS[status] ?? (status < 500 ? 'rejected' : status < 520 ? 'broken' : 'down')
  return webhooks.advice[known]
}
