import { SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LENGTH, SEARCH } from '../../../src/limits.ts'
import { useAddress } from '../address.ts'
import { api } from '../api/client.ts'
import { atMost, emptyOr, isEmail, isSearch } from '../forms/checks.ts'
import { useFormErrors } from '../forms/form-errors.ts'
import { Screen } from '../parts/screen.tsx'
import { useStore } from '../store.ts'
import { useWords } from '../words/index.tsx'
import { AccessFilters } from './accesses/access-filters.tsx'
import { accessFilter, toQuery } from './accesses/filter.ts'
import { DownloadCard } from './export/download-card.tsx'

export function Export() {
  const words = useWords()
  return (
    <Screen title={words.export.title}>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <UsersFile />
        <AccessesFile />
      </SimpleGrid>
    </Screen>
  )
}

/** The client's own fetch has a timeout, which would cut off the download of a large file. */
const fetchWithoutTimeout = (request: Request) => fetch(request, { redirect: 'manual' })

function UsersFile() {
  const words = useWords()
  const store = useStore()
  const [q, setQ] = useState('')
  const [email, setEmail] = useState('')
  const [externalId, setExternalId] = useState('')
  const errors = useFormErrors(undefined, {
    q: [q, emptyOr(isSearch)],
    email: [email, emptyOr(isEmail)],
    external_id: [externalId, atMost(LENGTH.externalId)],
  })
  return (
    <DownloadCard
      title={words.export.users}
      hint={words.export.usersHint}
      action={words.export.downloadUsers}
      fileName={fileName(store, 'users')}
      errors={errors}
      request={async (signal, forSpreadsheet) => {
        const query = {
          ...(q !== '' && { q }),
          ...(email !== '' && { email }),
          ...(externalId !== '' && { external_id: externalId }),
          ...(forSpreadsheet && { spreadsheet: 'true' as const }),
        }
        const { response } = await api.GET('/admin/stores/{store_id}/users.csv', {
          params: { path: { store_id: store }, query },
          parseAs: 'stream',
          signal,
          fetch: fetchWithoutTimeout,
        })
        return response
      }}
    >
      <TextInput
        label={words.export.search}
        description={words.export.searchHint}
        value={q}
        onChange={({ currentTarget }) => setQ(currentTarget.value)}
        maxLength={SEARCH.maxLength}
        error={errors.shown['q']}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={words.export.email}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          error={errors.shown['email']}
        />
        <TextInput
          label={words.export.externalId}
          value={externalId}
          onChange={({ currentTarget }) => setExternalId(currentTarget.value)}
          error={errors.shown['external_id']}
        />
      </SimpleGrid>
    </DownloadCard>
  )
}

function AccessesFile() {
  const words = useWords()
  const store = useStore()
  const { filter, setFilter } = useAddress(accessFilter)
  return (
    <DownloadCard
      title={words.export.accesses}
      hint={words.export.accessesHint}
      action={words.export.downloadAccesses}
      fileName={fileName(store, 'product-accesses')}
      request={async (signal, forSpreadsheet) => {
        const query = { ...toQuery(filter), ...(forSpreadsheet && { spreadsheet: 'true' as const }) }
        const { response } = await api.GET('/admin/stores/{store_id}/product_accesses.csv', {
          params: { path: { store_id: store }, query },
          parseAs: 'stream',
          signal,
          fetch: fetchWithoutTimeout,
        })
        return response
      }}
    >
      <AccessFilters store={store} value={filter} onChange={setFilter} />
    </DownloadCard>
  )
}

function fileName(store: string, what: string): string {
  return `${store}-${what}-${new Date().toISOString().slice(0, 10)}.csv`
}
