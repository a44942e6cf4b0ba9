import { SimpleGrid, TextInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import { MAX_LENGTH } from '../../../../src/domain/users/fields.ts'
import { SEARCH } from '../../../../src/limits.ts'
import { useAddress } from '../../address.ts'
import { api } from '../../api/client.ts'
import { atMost, emptyOr, isEmail, isSearch } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { useTyped } from '../../forms/use-typed.ts'
import { Screen } from '../../parts/screen.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { AccessFilters } from '../accesses/access-filters.tsx'
import { type AccessFilter, accessFilter, toQuery } from '../accesses/filter.ts'
import { DownloadCard } from './download-card.tsx'
import { exportFilter, type UsersFileFilter, usersFileFilter } from './filter.ts'

export function Export() {
  const words = useWords()
  const { filter, setFilter } = useAddress(exportFilter)
  return (
    <Screen title={words.export.title}>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <UsersFile
          value={usersFileFilter({ ...filter })}
          onChange={(users) => setFilter({ ...accessFilter({ ...filter }), ...users }, { replace: true })}
        />
        <AccessesFile
          value={accessFilter({ ...filter })}
          onChange={(accesses) => setFilter({ ...usersFileFilter({ ...filter }), ...accesses })}
        />
      </SimpleGrid>
    </Screen>
  )
}

interface FileProps<Filter> {
  value: Filter
  onChange: (filter: Filter) => void
}

function UsersFile({ value, onChange }: FileProps<UsersFileFilter>) {
  const words = useWords()
  const store = useStore()
  const { typed, type } = useTyped(value, onChange)
  const { q = '', email = '', external_id: externalId = '' } = typed
  const errors = useFormErrors(undefined, {
    q: [q, emptyOr(isSearch)],
    email: [email, emptyOr(isEmail)],
    external_id: [externalId, atMost(MAX_LENGTH.external_id)],
  })
  const typeInto = (name: keyof UsersFileFilter) => (event: ChangeEvent<HTMLInputElement>) =>
    type(usersFileFilter({ ...typed, [name]: event.currentTarget.value }))
  return (
    <DownloadCard
      title={words.export.users}
      hint={words.export.usersHint}
      action={words.export.downloadUsers}
      fileName={fileName(store, 'users')}
      errors={errors}
      request={async (signal, forSpreadsheet) => {
        const query = {
          ...typed,
          ...(forSpreadsheet && { spreadsheet: 'true' as const }),
        }
        const { response } = await api.GET('/admin/stores/{store_id}/users.csv', {
          params: { path: { store_id: store }, query },
          parseAs: 'stream',
          signal,
        })
        return response
      }}
    >
      <TextInput
        label={words.export.search}
        description={words.export.searchHint}
        value={q}
        onChange={typeInto('q')}
        maxLength={SEARCH.maxLength}
        error={errors.shown['q']}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={words.export.email}
          value={email}
          onChange={typeInto('email')}
          error={errors.shown['email']}
        />
        <TextInput
          label={words.export.externalId}
          value={externalId}
          onChange={typeInto('external_id')}
          error={errors.shown['external_id']}
        />
      </SimpleGrid>
    </DownloadCard>
  )
}

function AccessesFile({ value, onChange }: FileProps<AccessFilter>) {
  const words = useWords()
  const store = useStore()
  return (
    <DownloadCard
      title={words.export.accesses}
      hint={words.export.accessesHint}
      action={words.export.downloadAccesses}
      fileName={fileName(store, 'product-accesses')}
      request={async (signal, forSpreadsheet) => {
        const query = { ...toQuery(value), ...(forSpreadsheet && { spreadsheet: 'true' as const }) }
        const { response } = await api.GET('/admin/stores/{store_id}/product_accesses.csv', {
          params: { path: { store_id: store }, query },
          parseAs: 'stream',
          signal,
        })
        return response
      }}
    >
      <AccessFilters store={store} value={value} onChange={onChange} />
    </DownloadCard>
  )
}

function fileName(store: string, what: string): string {
  return `${store}-${what}-${new Date().toISOString().slice(0, 10)}.csv`
}
