import { Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { Moment } from '../../parts/moment.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useWords } from '../../words/index.tsx'
import { nameIn } from '../../words/name-in.ts'

type Endpoint = Schemas['WebhookEndpoint']

export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { webhooks } = useWords()
  const { state, disabled_at, failing_since, last_status, next_attempt_at } = endpoint
  if (disabled_at !== null) return <Since state="inactive" text={webhooks.isDisabled} at={disabled_at} />
  if (state === 'down') {
    // After an operator has enabled it, it has not failed yet.
    if (failing_since === null) return <StateBadge state="bad">{webhooks.isDown}</StateBadge>
    return (
      <>
        <Since state="bad" text={webhooks.isDown} at={failing_since} />
        <Text size="xs" c="dimmed">
          {webhooks.nextProbe} <Moment at={next_attempt_at} />
        </Text>
      </>
    )
  }
  if (failing_since !== null) return <Since state="bad" text={webhooks.isFailing} at={failing_since} />
  if (last_status === null) return <StateBadge state="inactive">{webhooks.nothingSent}</StateBadge>
  return <StateBadge state="good">{webhooks.isWorking}</StateBadge>
}

function Since({ state, text, at }: { state: 'inactive' | 'bad'; text: string; at: string }) {
  const { webhooks } = useWords()
  return (
    <>
      <StateBadge state={state}>{text}</StateBadge>
      <Text size="xs" c="dimmed">
        {webhooks.since} <Moment at={at} />
      </Text>
    </>
  )
}

export function LastResponse({ endpoint: { last_status, failing_since } }: { endpoint: Endpoint }) {
  const { webhooks } = useWords()
  if (last_status !== null) return <>{last_status}</>
  return <>{failing_since === null ? webhooks.noResponseYet : webhooks.noResponse}</>
}

/** A disabled endpoint has no next attempt. */
export function NextAttempt({ endpoint: { enabled, next_attempt_at } }: { endpoint: Endpoint }) {
  const { webhooks } = useWords()
  return enabled ? <Moment at={next_attempt_at} empty={webhooks.nothingPending} /> : <>{webhooks.whenEnabled}</>
}

export function EndpointEvents({ endpoint: { types } }: { endpoint: Endpoint }) {
  const { webhooks, eventTypes } = useWords()
  if (types === null) return <>{webhooks.allEvents}</>
  return <>{types.map((type) => nameIn(eventTypes, type)).join(' · ')}</>
}
