import { Card, SimpleGrid, Stack, Text } from '@mantine/core'
import { ArrowLeftIcon } from '@primer/octicons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type BulkChange, useBulkChange } from '../../api/bulk-changes.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useStore } from '../../store.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { BulkState } from './bulk-state.tsx'
import { Effects } from './effects.tsx'
import { FilterText } from './filter-text.tsx'
import { useBulkText } from './use-bulk-text.ts'

/** One bulk change: what it does, how far it is, and buttons that cancel it or take it back. */
export function BulkChangeScreen() {
  const { bulk } = useWords()
  const store = useStore()
  const navigate = useNavigate()
  const { id = '' } = useParams({ strict: false })
  const { data: change, error, refetch } = useBulkChange(store, id)
  const open = (other: string) => void navigate({ to: '/s/$store/bulk-changes/$id', params: { store, id: other } })
  return (
    <Screen
      title={bulk.number(id)}
      actions={change && <BulkActions key={id} store={store} change={change} onReverted={open} />}
    >
      <TextLink to="/s/$store/bulk-changes" params={{ store }} size="sm" mt={-12} w="fit-content">
        <ArrowLeftIcon size={14} aria-hidden verticalAlign="middle" /> {bulk.allOfThem}
      </TextLink>
      <FailureNote error={error} retry={() => void refetch()} />
      {change && <Details store={store} change={change} />}
      {!change && !error && <Loading />}
    </Screen>
  )
}

function Details({ store, change }: { store: string; change: BulkChange }) {
  const { bulk } = useWords()
  const { language } = useLanguage()
  const text = useBulkText(store)
  const { reverts } = change
  const isRevert = reverts !== null
  const counts = [
    [bulk.matched, change.matched],
    [bulk.changedHead, change.changed],
    [isRevert ? bulk.changedSince : bulk.unchanged, change.unchanged],
  ] as const
  return (
    <Stack>
      <Card withBorder>
        <Stack gap="sm">
          <div>
            <Text fw={600} size="lg">
              {isRevert ? (
                <TextLink inherit to="/s/$store/bulk-changes/$id" params={{ store, id: reverts }}>
                  {text.change(change.change, reverts)}
                </TextLink>
              ) : (
                text.change(change.change)
              )}
            </Text>
            <Text c="dimmed">
              <FilterText store={store} filter={change.filter} />
            </Text>
          </div>
          <BulkState change={change} />
          <Effects label={bulk.changedHead} effects={change.effects} />
          {change.reverted_by !== null && (
            <TextLink to="/s/$store/bulk-changes/$id" params={{ store, id: change.reverted_by }} w="fit-content">
              {bulk.revertedBy(change.reverted_by)}
            </TextLink>
          )}
        </Stack>
      </Card>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {counts.map(([title, count]) => (
          <Fact key={title} title={title}>
            <Text fw={600} size="xl">
              {count.toLocaleString(language)}
            </Text>
          </Fact>
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Fact title={bulk.by}>{text.actor(change.actor)}</Fact>
        <Fact title={bulk.requested}>
          <Moment at={change.created_at} />
        </Fact>
        <Fact title={bulk.ended}>
          <Moment at={change.finished_at} empty={bulk.notYet} />
        </Fact>
      </SimpleGrid>
    </Stack>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <div>{children}</div>
    </Card>
  )
}
