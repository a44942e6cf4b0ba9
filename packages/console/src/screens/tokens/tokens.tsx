import { Text } from '@mantine/core'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { Day } from '../../parts/day.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { Column } from '../../parts/page-table.tsx'
import { ResourceScreen } from '../../parts/resource-screen.tsx'
import { SecretOnce, type ShownSecret } from '../../parts/secret-once.tsx'
import { RevokedBadge, StateBadge } from '../../parts/state-badge.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { curlOf } from './curl.ts'
import { RevokeAll } from './revoke-all.tsx'
import { RotateToken } from './rotate-token.tsx'
import { TokenForm } from './token-form.tsx'
import { TokenTraces } from './token-traces.tsx'

type Token = Schemas['AccessToken']

export function Tokens() {
  const { tokens } = useWords()
  const store_id = useStore()
  const mayChange = useSession().can('stores:write')
  const [shown, setShown] = useState<ShownSecret>()
  const show = (token: Schemas['IssuedAccessToken'], title: string) =>
    setShown({ title, label: tokens.token, secret: token.token, sample: curlOf(token, store_id, tokens) })
  return (
    <ResourceScreen
      title={tokens.title}
      intro={tokens.intro}
      none={tokens.none}
      name={['tokens', store_id]}
      list={(query, order) =>
        bodyOf(
          api.GET('/admin/stores/{store_id}/tokens', { params: { path: { store_id }, query: { ...query, order } } }),
        )
      }
      hasOrder
      columns={useColumns()}
      keyOf={({ id }) => id}
      isOver={isRevoked}
      mayChange={mayChange}
      create={{ label: tokens.create, labelOfFirst: tokens.createFirst }}
      edit={{ label: ({ name }) => tokens.editOne(name), title: tokens.edit }}
      form={(token, close) => (
        <TokenForm
          store={store_id}
          token={token}
          onClose={close}
          onIssued={(issued) => show(issued, tokens.issued(issued.name))}
        />
      )}
      formSize="lg"
      actions={(token) => (
        <RotateToken token={token} onIssued={(issued) => show(issued, tokens.newToken(issued.name))} />
      )}
      remove={{
        label: ({ name }) => tokens.revokeOne(name),
        warning: ({ name }) => tokens.revokeWarning(name),
        send: ({ id }) => api.DELETE('/admin/stores/{store_id}/tokens/{id}', { params: { path: { store_id, id } } }),
        done: tokens.revoked,
        about: ({ id }) => <TokenTraces store={store_id} id={id} />,
        revoke: { title: tokens.revoke, action: tokens.revokeAction },
      }}
    >
      {(rows) => (
        <>
          {mayChange && rows.some((row) => !isRevoked(row)) && <RevokeAll />}
          <SecretOnce shown={shown} onClose={() => setShown(undefined)} />
        </>
      )}
    </ResourceScreen>
  )
}

function isRevoked({ revoked_at }: Token): boolean {
  return revoked_at !== null
}

function useColumns(): Column<Token>[] {
  const { tokens, common } = useWords()
  const store = useStore()
  return [
    {
      head: tokens.name,
      cell: ({ id, name }) => (
        <>
          <Text inherit fw={500}>
            {name}
          </Text>
          <TextLink
            size="xs"
            to="/s/$store/events"
            params={{ store }}
            search={{ actor: `access_token:${id}` }}
            title={tokens.allTraces}
            underline="always"
          >
            {tokens.id(id)}
          </TextLink>
        </>
      ),
    },
    {
      head: tokens.scopes,
      width: '24%',
      cell: ({ scopes }) => scopes.map((scope) => tokens.scopeWords[scope].name).join(' · '),
    },
    { head: common.created, width: '14%', cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      head: tokens.expires,
      width: '14%',
      cell: ({ expires_at }) => <Moment at={expires_at} empty={common.never} />,
    },
    {
      head: tokens.lastUsed,
      width: '10%',
      cell: ({ last_used_at }) => <Day of={last_used_at} empty={common.never} />,
    },
    { head: tokens.state, width: '12%', cell: (token) => <TokenState token={token} /> },
  ]
}

function TokenState({ token: { revoked_at, expires_at } }: { token: Token }) {
  const { tokens } = useWords()
  const [now] = useState(Date.now)
  if (revoked_at !== null) return <RevokedBadge at={revoked_at}>{tokens.isRevoked}</RevokedBadge>
  const isExpired = expires_at !== null && Date.parse(expires_at) <= now
  return <StateBadge state={isExpired ? 'bad' : 'good'}>{isExpired ? tokens.expired : tokens.active}</StateBadge>
}
