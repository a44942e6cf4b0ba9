import { Card, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { AskAdmin } from '../../parts/ask-admin.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { useStoreLanguages } from '../stores/languages.ts'
import { usePlaceText } from '../stores/places.ts'
import { SettingsForm } from './settings-form.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Suspension } from './suspension.tsx'

export function Settings() {
  const words = useWords()
  const id = useStore()
  const canChange = useSession().can('stores:write')
  const store = useQuery({
    queryKey: ['store', id],
    queryFn: () => bodyOf(api.GET('/admin/stores/{store_id}', { params: { path: { store_id: id } } })),
  })
  return (
    <Screen title={words.settings.title}>
      {!canChange && <AskAdmin />}
      <FailureNote error={store.error} retry={() => void store.refetch()} />
      {store.data ? (
        <Stack maw={640}>
          <Card withBorder>
            <StoreFacts store={store.data} hasForm={canChange} />
          </Card>
          {canChange && (
            <Card withBorder>
              <SettingsForm key={id} store={store.data} />
            </Card>
          )}
          <Card withBorder>
            <Suspension store={store.data} canChange={canChange} />
          </Card>
        </Stack>
      ) : (
        !store.error && <Loading />
      )}
    </Screen>
  )
}

/** Shows what cannot be edited, and the settings to a viewer, who has no form. */
function StoreFacts({ store, hasForm }: { store: Schemas['Store']; hasForm: boolean }) {
  const words = useWords()
  const languages = useStoreLanguages()
  const placeText = usePlaceText()
  return (
    <Facts columns={2}>
      <Fact name={words.common.id}>
        <CopyText text={store.id} label={words.settings.copyId} />
      </Fact>
      <Fact name={words.common.created}>
        <Moment at={store.created_at} />
      </Fact>
      <Fact name={words.places.title}>{placeText(store)}</Fact>
      {!hasForm && (
        <>
          <Fact name={words.common.name}>{store.name}</Fact>
          <Fact name={words.stores.language}>
            {languages.find(({ value }) => value === store.language)?.label ?? store.language}
          </Fact>
          <Fact name={words.stores.timeZone}>{store.time_zone}</Fact>
          <Fact name={words.settings.notice}>{words.settings.noticeDays(store.expiry_notice_days)}</Fact>
        </>
      )}
    </Facts>
  )
}
