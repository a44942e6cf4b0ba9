import { Group, SimpleGrid, TextInput } from '@mantine/core'
import { dayAt } from '../../../../../src/calendar.ts'
import type { ChangeEvent } from 'react'
import { MAX_LENGTH } from '../../../../../src/modules/users/user-fields.ts'
import { SEARCH } from '../../../../../src/modules/users/limits.ts'
import { useAddress } from '../../address.ts'
import { api, apiWithRetries } from '../../api/client.ts'
import { useProductName } from '../../api/names.ts'
import { useStoreName } from '../../api/stores.ts'
import { atMost, emptyOr, isEmail, isSearch } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { useTyped } from '../../forms/use-typed.ts'
import { Screen } from '../../parts/screen.tsx'
import { useStore } from '../../store.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'
import { AccessFilters } from '../accesses/access-filters.tsx'
import { type AccessFilter, accessFilter, toQuery } from '../accesses/filter.ts'
import { listAccesses } from '../accesses/list.ts'
import { fieldFilter, fieldQuery } from '../users/field-filter.ts'
import { FieldInputs } from '../users/field-inputs.tsx'
import { listUsers } from '../users/search.ts'
import { DownloadCard, type Format } from './download-card.tsx'
import { exportFilter, type UsersFileFilter, usersFileFilter } from './filter.ts'
import { accessColumns, allOf, byName, userColumns, withUsers } from './sheets.ts'
import { useShown } from './use-shown.ts'
import { newestId, wholeFile } from './whole-file.ts'
import { fileNameOf, type Sheet, sheetOf, workbookOf } from './workbook.ts'

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
  const { language } = useLanguage()
  const fileName = useFileName()
  const shown = useShown()
  const { typed, type } = useTyped(value, onChange)
  const { user_field: field, user_value: fieldValue, ...filter } = typed
  const { q = '', email = '', external_id: externalId = '' } = filter
  const custom = fieldFilter({ field, value: fieldValue })
  const query = { ...filter, ...fieldQuery(custom) }
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
      fileName={fileName(words.export.users)}
      errors={errors}
      requests={{
        xlsx: async (signal, onProgress) => {
          const users = flat(allOf(listUsers(store, query, apiWithRetries), signal, onProgress))
          const rows = byName(users, language, (user) => user)
          return fileOf({ title: words.export.users, columns: userColumns(await shown()), rows })
        },
        csv: async (signal) => {
          const params = { path: { store_id: store }, query }
          // A search has another order.
          const newest = q === '' ? await newestId(listUsers(store, { ...query, order: 'desc' }), signal) : undefined
          const { response } = await api.GET('/admin/stores/{store_id}/users.csv', {
            params,
            parseAs: 'stream',
            signal,
          })
          return wholeFile(response, newest)
        },
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
      {q === '' && (
        <Group align="end" gap="sm">
          <FieldInputs
            value={custom}
            onChange={(next) =>
              onChange(usersFileFilter({ ...filter, user_field: next.field, user_value: next.value }))
            }
          />
        </Group>
      )}
    </DownloadCard>
  )
}

function AccessesFile({ value, onChange }: FileProps<AccessFilter>) {
  const words = useWords()
  const store = useStore()
  const { language } = useLanguage()
  const fileName = useFileName()
  const shown = useShown()
  const product = useProductName(store, value.product)
  return (
    <DownloadCard
      title={words.export.accesses}
      hint={words.export.accessesHint}
      action={words.export.downloadAccesses}
      fileName={fileName(words.export.accesses, product)}
      // The service cannot select accesses without an end, and its file would have all.
      {...(value.due === 'none' && { formats: ['xlsx'] })}
      requests={{
        xlsx: async (signal, onProgress) => {
          const pages = allOf(listAccesses(store, value, apiWithRetries), signal, onProgress)
          const rows = byName(withUsers(store, pages, signal), language, ({ access }) => access.user)
          return fileOf({ title: words.export.accesses, columns: accessColumns(await shown(), Date.now()), rows })
        },
        csv: async (signal) => {
          const newest = await newestId(listAccesses(store, value), signal)
          const { response } = await api.GET('/admin/stores/{store_id}/product_accesses.csv', {
            params: { path: { store_id: store }, query: toQuery(value) },
            parseAs: 'stream',
            signal,
          })
          return wholeFile(response, newest)
        },
      }}
    >
      <AccessFilters store={store} value={value} onChange={onChange} />
    </DownloadCard>
  )
}

/** Such as `Academy - Product accesses - Algebra - 2031-03-10.xlsx`. */
function useFileName() {
  const store = useStoreName(useStore())
  const zone = useZone()
  return (what: string, product?: string) => (format: Format) =>
    fileNameOf([store, what, product, dayAt(Date.now(), zone)], format)
}

async function fileOf<T>(sheet: Sheet<T>): Promise<Response> {
  return new Response(await workbookOf([await sheetOf(sheet)]))
}

async function* flat<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page
}
