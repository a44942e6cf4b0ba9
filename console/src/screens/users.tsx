import { Button, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconPlus, IconSearch, IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type PageState, usePages } from '../api/pages.ts'
import { Empty } from '../parts/empty.tsx'
import { ButtonLink, TextLink } from '../parts/links.tsx'
import { Moment } from '../parts/moment.tsx'
import { type Column, PageTable } from '../parts/page-table.tsx'
import { Screen } from '../parts/screen.tsx'
import { useSession } from '../session.tsx'
import { useStore } from '../store.ts'
import { useWords } from '../words/index.tsx'
import { CreateUser } from './users/create-user.tsx'
import type { User } from './users/draft.ts'
import { searchUsers } from './users/search.ts'

const TYPING_MS = 300
/** The API's limit for an external id, the longest text that can be searched for. */
const MAX_LENGTH = 255

export function Users() {
  const { users } = useWords()
  const { canChange } = useSession()
  const store = useStore()
  const [text, setText] = useSearchText(store)
  const [settled] = useDebouncedValue(text.trim(), TYPING_MS)
  const [isCreating, creating] = useDisclosure()
  const page = usePages(['users', store, settled], (after) => searchUsers(store, settled, after))
  const actions = canChange && (
    <>
      <ImportButton />
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
        {users.create}
      </Button>
    </>
  )
  return (
    <Screen title={users.title} actions={actions}>
      <TextInput
        type="search"
        label={users.search}
        description={users.searchHint}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        maxLength={MAX_LENGTH}
        leftSection={<IconSearch size={16} aria-hidden />}
        maw={480}
        autoComplete="off"
      />
      <PageTable
        label={users.title}
        page={page}
        columns={useColumns()}
        keyOf={({ id }) => id}
        empty={<NoUsers page={page} isSearch={settled !== ''} onClear={() => setText('')} onCreate={creating.open} />}
      />
      <CreateUser isOpen={isCreating} onClose={creating.close} />
    </Screen>
  )
}

function useColumns(): Column<User>[] {
  const { common, fieldNames } = useWords()
  const store = useStore()
  return [
    {
      head: common.name,
      cell: ({ id, name, last_name }) => (
        <TextLink to="/s/$store/users/$id" params={{ store, id }} inherit>
          {name} {last_name}
        </TextLink>
      ),
    },
    { head: fieldNames.email, cell: ({ email }) => email },
    {
      head: fieldNames.external_id,
      cell: ({ external_id }) =>
        external_id ?? (
          <Text span c="dimmed" aria-hidden>
            –
          </Text>
        ),
    },
    { head: common.created, cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
}

interface NoUsersProps {
  page: PageState<User>
  isSearch: boolean
  onClear: () => void
  onCreate: () => void
}

function NoUsers({ page, isSearch, onClear, onCreate }: NoUsersProps) {
  const { users } = useWords()
  const { canChange } = useSession()
  if (isSearch) {
    return (
      <Empty text={page.next ? users.notFoundSoFar : users.notFound}>
        <Button variant="default" onClick={onClear}>
          {users.showAll}
        </Button>
      </Empty>
    )
  }
  if (!canChange) return <Empty text={users.noneForViewers} />
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
      leftSection={<IconUpload size={16} aria-hidden />}
    >
      {users.import}
    </ButtonLink>
  )
}

/**
 * Keeps the search text while the operator opens a user and comes back. It is in memory only, because it may be a
 * person's name or email.
 */
function useSearchText(store: string) {
  const client = useQueryClient()
  const key = ['users', store, 'typed']
  const [text, setText] = useState(() => client.getQueryData<string>(key) ?? '')
  const change = (typed: string) => {
    client.setQueryData(key, typed)
    setText(typed)
  }
  return [text, change] as const
}
