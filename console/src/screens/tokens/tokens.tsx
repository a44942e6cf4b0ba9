import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { readOrder, useAddress } from '../../address.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { Empty } from '../../parts/empty.tsx'
import { Day } from '../../parts/day.tsx'
import { ListHead } from '../../parts/list-head.tsx'
import { Moment } from '../../parts/moment.tsx'
import { OrderControl } from '../../parts/order-control.tsx'
import { type Column, PageTable } from '../../parts/page-table.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SecretOnce, type ShownSecret } from '../../parts/secret-once.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { curlOf } from './curl.ts'
import { RevokeAll } from './revoke-all.tsx'
import { TokenActions } from './token-actions.tsx'
import { CreateToken } from './token-form.tsx'

type Token = Schemas['AccessToken']

export function Tokens() {
  const { tokens } = useWords()
  const canChange = useSession().can('stores:write')
  const store = useStore()
  const [isCreating, creating] = useDisclosure()
  const [shown, setShown] = useState<ShownSecret>()
  const { filter, setFilter, place } = useAddress(readOrder)
  const { order = 'desc' } = filter
  const page = usePages(
    ['tokens', store, order],
    (after) =>
      bodyOf(
        api.GET('/admin/stores/{store_id}/tokens', {
          params: { path: { store_id: store }, query: { order, ...(after !== undefined && { after }) } },
        }),
      ),
    { place },
  )
  const show = (token: Schemas['IssuedAccessToken'], title: string) =>
    setShown({ title, label: tokens.token, secret: token.token, sample: curlOf(token, store, tokens) })
  const columns = useColumns((token) => show(token, tokens.newToken(token.name)))
  const create = (label: string) => (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
      {label}
    </Button>
  )
  const isEmpty = page.rows?.length === 0 && page.number === 1
  return (
    <Screen title={tokens.title} actions={canChange && !isEmpty && create(tokens.create)}>
      <Text c="dimmed" maw={720}>
        {tokens.intro}
      </Text>
      {!isEmpty && (
        <ListHead>
          <OrderControl value={filter.order} onChange={setFilter} />
        </ListHead>
      )}
      <PageTable
        label={tokens.list}
        page={page}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty text={tokens.none}>{canChange && create(tokens.createFirst)}</Empty>}
      />
      {canChange && page.rows?.some(({ revoked_at }) => revoked_at === null) && <RevokeAll />}
      <CreateToken
        isOpen={isCreating}
        onClose={creating.close}
        onIssued={(token) => show(token, tokens.issued(token.name))}
      />
      <SecretOnce shown={shown} onClose={() => setShown(undefined)} />
    </Screen>
  )
}

function useColumns(onIssued: (token: Schemas['IssuedAccessToken']) => void): Column<Token>[] {
  const { tokens, common } = useWords()
  const canChange = useSession().can('stores:write')
  const dimmed = ({ revoked_at }: Token) => (revoked_at === null ? {} : { c: 'dimmed' })
  return [
    {
      head: tokens.name,
      cell: (token) => (
        <>
          <Text size="sm" fw={500} miw={{ base: 0, md: 130 }} {...dimmed(token)}>
            {token.name}
          </Text>
          <Text size="xs" c="dimmed">
            {tokens.id(token.id)}
          </Text>
        </>
      ),
    },
    {
      head: tokens.scopes,
      width: '24%',
      cell: (token) => (
        <Text size="sm" {...dimmed(token)}>
          {token.scopes.map((scope) => tokens.scopeWords[scope].name).join(' · ')}
        </Text>
      ),
    },
    {
      head: common.created,
      width: '14%',
      cell: (token) => (
        <Text size="sm" {...dimmed(token)}>
          <Moment at={token.created_at} />
        </Text>
      ),
    },
    {
      head: tokens.expires,
      width: '14%',
      cell: (token) => (
        <Text size="sm" {...dimmed(token)}>
          <Moment at={token.expires_at} empty={common.never} />
        </Text>
      ),
    },
    {
      head: tokens.lastUsed,
      width: '10%',
      cell: (token) => (
        <Text size="sm" {...dimmed(token)}>
          <Day of={token.last_used_at} empty={common.never} />
        </Text>
      ),
    },
    { head: tokens.state, width: '12%', cell: (token) => <TokenState token={token} /> },
    ...(canChange
      ? [
          {
            head: common.actions,
            width: '8rem',
            cell: (token: Token) =>
              token.revoked_at === null ? <TokenActions token={token} onIssued={onIssued} /> : null,
          },
        ]
      : []),
  ]
}

function TokenState({ token: { revoked_at, expires_at } }: { token: Token }) {
  const { tokens } = useWords()
  const [now] = useState(Date.now)
  if (revoked_at !== null) {
    return (
      <>
        <StateBadge state="inactive">{tokens.isRevoked}</StateBadge>
        <Text size="xs" c="dimmed">
          <Moment at={revoked_at} />
        </Text>
      </>
    )
  }
  const isExpired = expires_at !== null && Date.parse(expires_at) <= now
  return isExpired ? (
    <StateBadge state="bad">{tokens.expired}</StateBadge>
  ) : (
    <StateBadge state="good">{tokens.active}</StateBadge>
  )
}
