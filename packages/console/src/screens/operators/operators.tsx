import { Badge, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { readHistoryPage } from '../../address.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useAllStores } from '../../api/stores.ts'
import { Day } from '../../parts/day.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { Column } from '../../parts/page-table.tsx'
import { ResourceScreen } from '../../parts/resource-screen.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SecretOnce, type ShownSecret } from '../../parts/secret-once.tsx'
import { RevokedBadge, StateBadge } from '../../parts/state-badge.tsx'
import { useSession } from '../../session.tsx'
import { useWords } from '../../words/index.tsx'
import { OperatorHistory } from './history.tsx'
import { OperatorForm } from './operator-form.tsx'

type Operator = Schemas['Operator']

/** The service rejects everything here for an operator who is limited to stores. */
export function Operators() {
  const { operators } = useWords()
  const { operator, seesAllStores } = useSession()
  if (!operator || seesAllStores) return <AllOperators />
  return (
    <Screen title={operators.title}>
      <Empty text={operators.onlyForAllStores} />
    </Screen>
  )
}

function AllOperators() {
  const { operators, roles } = useWords()
  const { operator: me, can } = useSession()
  const mayChange = can('operators:write')
  const [shown, setShown] = useState<ShownSecret>()
  const show = ({ name, token }: Schemas['OperatorWithToken']) =>
    setShown({
      title: operators.issued(name),
      label: operators.token,
      secret: token,
      note: operators.handOver(name),
      sample: {
        label: operators.curl,
        text: `curl -sS ${globalThis.location.origin}/admin/operator \\\n  -H 'Authorization: Bearer ${token}'`,
      },
    })
  return (
    <ResourceScreen
      title={operators.title}
      intro={me && `${operators.you(me.name, roles[me.role])} ${me.role === 'viewer' ? operators.rootOnly : ''}`}
      none={operators.none}
      name={['operators']}
      list={(query) => bodyOf(api.GET('/admin/operators', { params: { query } }))}
      keptSearch={readHistoryPage}
      columns={useColumns()}
      keyOf={({ id }) => id}
      isOver={({ revoked_at }) => revoked_at !== null}
      mayChange={mayChange}
      whoMay={operators.rootOnly}
      create={{ label: operators.create, labelOfFirst: operators.createFirst }}
      edit={{ label: ({ name }) => operators.editOne(name), title: operators.edit }}
      form={(operator, close) => <OperatorForm operator={operator} onClose={close} onIssued={show} />}
      remove={{
        label: ({ name }) => operators.revokeOne(name),
        warning: ({ name }) => operators.revokeWarning(name),
        send: ({ id }) => api.DELETE('/admin/operators/{id}', { params: { path: { id } } }),
        done: operators.revoked,
        revoke: { title: operators.revoke, action: operators.revokeAction },
      }}
    >
      {() => (
        <>
          <OperatorHistory />
          <SecretOnce shown={shown} onClose={() => setShown(undefined)} />
        </>
      )}
    </ResourceScreen>
  )
}

function useColumns(): Column<Operator>[] {
  const { operators, roles, common } = useWords()
  const { operator: me } = useSession()
  const { data: known } = useAllStores()
  // A store beyond the limit of the menu is shown by its id.
  const storeNames = new Map(known?.map(({ id, name }) => [id, name]))
  return [
    {
      head: operators.name,
      cell: ({ id, name, email }) => (
        <>
          <Group gap="xs">
            <Text inherit fw={500}>
              {name}
            </Text>
            {id === me?.id && (
              <Badge variant="default" tt="none" fw={500}>
                {operators.isYou}
              </Badge>
            )}
          </Group>
          {email !== null && (
            <Text size="xs" c="dimmed">
              {email}
            </Text>
          )}
        </>
      ),
    },
    {
      head: operators.role,
      width: '9%',
      cell: ({ role }) => <span title={operators.roleWords[role]}>{roles[role]}</span>,
    },
    {
      head: operators.stores,
      width: '16%',
      cell: ({ stores }) => stores?.map((id) => storeNames.get(id) ?? id).join(', ') ?? operators.allStores,
    },
    { head: common.created, width: '15%', cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      head: operators.lastUsed,
      width: '11%',
      cell: ({ last_used_at }) => <Day of={last_used_at} empty={common.never} />,
    },
    {
      head: operators.state,
      width: '13%',
      cell: ({ revoked_at }) =>
        revoked_at === null ? (
          <StateBadge state="good">{operators.active}</StateBadge>
        ) : (
          <RevokedBadge at={revoked_at}>{operators.isRevoked}</RevokedBadge>
        ),
    },
  ]
}
