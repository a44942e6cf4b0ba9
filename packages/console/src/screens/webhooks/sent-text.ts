interface Actor {
  type: string
  id?: string | null
  name?: string
}

/** Returns the event as its receiver gets it: without the name of an operator, which is that of a person. */
export function sentText(event: { actor: Actor }): string {
  return JSON.stringify({ ...event, actor: sentActor(event.actor) }, null, 2)
}

/** The root has no id and is no person, so its name is sent. */
function sentActor(actor: Actor): Actor {
  const { name: _, ...sent } = actor
  return actor.type === 'operator' && typeof actor.id === 'string' ? sent : actor
}
