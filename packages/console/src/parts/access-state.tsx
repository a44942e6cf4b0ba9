import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { useWords } from '../words/index.tsx'
import { accessStateOf } from './access-states.ts'
import { StateBadge } from './state-badge.tsx'

const BADGES = { in_force: 'good', ended: 'waiting', closed: 'inactive' } as const

export function AccessStateBadge({ access }: { access: Pick<Schemas['ProductAccess'], 'status' | 'access_due_date'> }) {
  const { accessStates } = useWords()
  // Uses the time when the list was opened: React requires a render to be repeatable, and a list that changes while it
  // is read is confusing.
  const [now] = useState(() => Date.now())
  const state = accessStateOf(access, now)
  return <StateBadge state={BADGES[state]}>{accessStates[state]}</StateBadge>
}
