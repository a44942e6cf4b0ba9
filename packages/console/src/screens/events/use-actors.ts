/** Who may have caused an event: the service, the operators as far as they may be read, and the tokens of the store. */
import { useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../../api/client.ts'
import type { FeedEvent } from '../../api/event-feed.ts'
import { useTokens } from '../../api/names.ts'
import { actorText } from '../../parts/event-line.tsx'
import { useSession } from '../../session.tsx'
import { useWords } from '../../words/index.tsx'

const STALE_MS = 300_000
/** A longer menu would be slow. An operator beyond it can be chosen where an event shows the name. */
const MAX_OPERATORS = 500

interface Choice {
  value: string
  label: string
}

export function useActors(store: string, rows: FeedEvent[], chosen: string | undefined): Choice[] {
  const words = useWords()
  const { timeline, system, roles } = words
  const { operator: me, seesAllStores } = useSession()
  const tokens = useTokens(store, true)
  const { data: operators = [] } = useQuery({
    queryKey: ['operators', 'menu'],
    queryFn: listOperators,
    // The service lists them for operators of all stores only.
    enabled: seesAllStores,
    staleTime: STALE_MS,
  })
  const choices = new Map<string, string>([
    ['system', system],
    ['root', timeline.operator(roles.root)],
    ...(me ? [[valueOf({ type: 'operator', id: me.id, name: me.name }), timeline.operator(me.name)] as const] : []),
    ...operators.map(({ id, name }) => [`operator:${id}`, timeline.operator(name)] as const),
    ...tokens.map(({ id, name }) => [`access_token:${id}`, timeline.token(name)] as const),
    // An operator who is limited to stores knows the others only from what they did.
    ...rows.map(({ actor }) => [valueOf(actor), actorText(actor, words)] as const),
  ])
  if (chosen !== undefined && !choices.has(chosen)) choices.set(chosen, chosen)
  return [...choices].map(([value, label]) => ({ value, label }))
}

/** The actor as the filter of the API names it. */
function valueOf(actor: Schemas['Actor']): string {
  if (actor.type === 'system') return 'system'
  return actor.id === null ? 'root' : `${actor.type}:${actor.id}`
}

async function listOperators(): Promise<Schemas['Operator'][]> {
  const operators: Schemas['Operator'][] = []
  for await (const each of api.list('/admin/operators')) {
    if (operators.push(each) === MAX_OPERATORS) break
  }
  return operators
}
