import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { useWords } from '../words/index.tsx'
import { StateBadge } from './state-badge.tsx'

type State = 'in_force' | 'ended' | 'closed'

const BADGES = { in_force: 'good', ended: 'waiting', closed: 'inactive' } as const

/** Whether an access is in force, its due date has passed, or someone has closed it. */
export function accessStateOf(
  { status, access_due_date: due }: Pick<Schemas['ProductAccess'], 'status' | 'access_due_date'>,
  now: number,
): State {
  if (status === 'without_access') return 'closed'
  return due !== null && Date.parse(due) < now ? 'ended' : 'in_force'
}

export function AccessStateBadge({ access }: { access: Pick<Schemas['ProductAccess'], 'status' | 'access_due_date'> }) {
  const { accessStates } = useWords()
  // Uses the time when the list was opened: React requires a render to be repeatable, and a list that changes while it
  // is read is confusing.
  const [now] = useState(() => Date.now())
  const state = accessStateOf(access, now)
  return <StateBadge state={BADGES[state]}>{accessStates[state]}</StateBadge>
}
