import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { DownloadIcon, PlusIcon, UploadIcon } from '@primer/octicons-react'
import { useMemo, useState } from 'react'
import { useAddress } from '../../address.ts'
import { type PageState, useReadSoon } from '../../api/pages.ts'
import { useStats } from '../../api/stats.ts'
import { Empty } from '../../parts/empty.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { ListHead } from '../../parts/list-head.tsx'
import { Moment } from '../../parts/moment.tsx'
import { OrderControl } from '../../parts/order-control.tsx'
import { type Column, PageTable } from '../../parts/page-table.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { CreateUser } from './create-user.tsx'
import type { User } from './draft.ts'
import { usersFileFilter } from '../export/filter.ts'
import { fieldFilter } from './field-filter.ts'
import { FieldInputs } from './field-inputs.tsx'
import { FieldOffers } from './field-offers.tsx'
import { FindUsers } from './find-users.tsx'
import { GrantBar } from './grant-bar.tsx'
import { noSearch } from './narrowing.ts'
import { searchUsers, type UserFilter, userFilter } from './search.ts'
import { useTableSelection } from './selection.tsx'
import { keyOf, useSearch } from './use-search.ts'

export function Users() {
  const { accesses, lists, users } = useWords()
  const { can } = useSession()
  const store = useStore()
  const { filter, setFilter, place } = useAddress(userFilter)
  const { q = '', order } = filter
  const field = fieldFilter({ ...filter })
  const isFiltered = field.value !== undefined
  const isSearch = q !== ''
  const [isCreating, creating] = useDisclosure()
  const { data: stats } = useStats(store)
  const page = useSearch(store, filter, { place })
  const readSoon = useReadSoon<User>()
  const selection = useTableSelection(page.rows)
  const [last] = useState(noSearch)
  const keepOrder = order && { order }
  const filterFor = (text: string): UserFilter => ({ ...(text !== '' && { q: text }), ...keepOrder })
  const search = (text: string) => searchUsers(store, filterFor(text), last)
  const actions = can('users:write') && (
    <>
      <ImportButton />
      <Button leftSection={<PlusIcon size={16} aria-hidden />} onClick={creating.open}>
        {users.create}
      </Button>
    </>
  )
  return (
    <Screen title={users.title} actions={actions}>
      <FindUsers
        value={q}
        search={search}
        onType={(text) => readSoon(keyOf(store, filterFor(text)), search(text))}
        onChange={(text) => setFilter(filterFor(text), { replace: true })}
      />
      {!isSearch && (
        <Group align="end" gap="sm">
          <FieldInputs value={field} onChange={(next) => setFilter({ ...next, ...keepOrder }, { replace: true })} />
          {isFiltered && (
            <ButtonLink
              to="/s/$store/export"
              params={{ store }}
              search={usersFileFilter({ user_field: field.field, user_value: field.value })}
              variant="default"
              leftSection={<DownloadIcon size={16} aria-hidden />}
            >
              {accesses.download}
            </ButtonLink>
          )}
        </Group>
      )}
      {isSearch && <FieldOffers text={q} onChoose={(chosen) => setFilter({ ...chosen, ...keepOrder })} />}
      {/* The best matches of a search come first. */}
      {!isSearch && (
        <ListHead {...(stats && !isFiltered && { total: lists.users(stats.totals.users), at: stats.as_of })}>
          <OrderControl value={order} onChange={(next) => setFilter({ ...field, ...next })} />
        </ListHead>
      )}
      {can('product_accesses:write') && <GrantBar key={store} isListEmpty={!page.rows?.length} />}
      <PageTable
        label={users.title}
        page={page}
        print={searchUsers(store, filter)}
        columns={useColumns()}
        keyOf={idOf}
        {...(can('product_accesses:write') && { selection })}
        empty={
          <NoUsers
            page={page}
            isSearch={isSearch || isFiltered}
            onClear={() => setFilter({ ...keepOrder })}
            onCreate={creating.open}
          />
        }
      />
      <CreateUser isOpen={isCreating} onClose={creating.close} />
    </Screen>
  )
}

function useColumns(): Column<User>[] {
  const { common, fieldNames } = useWords()
  const store = useStore()
  return useMemo(
    () => [
      {
        head: common.name,
        width: '28%',
        narrow: 'bare',
        cell: ({ id, name, last_name }) => (
          <TextLink to="/s/$store/users/$id" params={{ store, id }} inherit>
            {name} {last_name}
          </TextLink>
        ),
      },
      { head: fieldNames.email, narrow: 'bare', cell: ({ email }) => email },
      {
        head: fieldNames.external_id,
        width: '16%',
        narrow: 'hidden',
        cell: ({ external_id }) =>
          external_id ?? (
            <Text span c="dimmed" aria-hidden>
              –
            </Text>
          ),
      },
      { head: common.created, width: '20%', narrow: 'hidden', cell: ({ created_at }) => <Moment at={created_at} /> },
    ],
    [common, fieldNames, store],
  )
}

const idOf = ({ id }: User) => id

interface NoUsersProps {
  page: PageState<User>
  isSearch: boolean
  onClear: () => void
  onCreate: () => void
}

function NoUsers({ page, isSearch, onClear, onCreate }: NoUsersProps) {
  const { users } = useWords()
  const { can } = useSession()
  if (isSearch) {
    return (
      <Empty text={page.next ? users.notFoundSoFar : `${users.notFound} ${users.searched}`}>
        <Button variant="default" onClick={onClear}>
          {users.showAll}
        </Button>
      </Empty>
    )
  }
  if (!can('users:write')) return <Empty text={users.noneForViewers} />
  return (
    <Empty text={users.none}>
      <Button onClick={onCreate}>{users.createFirst}</Button>
      <ImportButton />
    </Empty>
  )
}

function ImportButton() {
  const { users } = useWords()
  const store = useStore()
  return (
    <ButtonLink
      to="/s/$store/import"
      params={{ store }}
      variant="default"
      leftSection={<UploadIcon size={16} aria-hidden />}
    >
      {users.import}
    </ButtonLink>
  )
}
