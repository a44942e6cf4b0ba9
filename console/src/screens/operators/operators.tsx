import { Badge, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBan, IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { readHistoryPage, useAddress } from '../../address.ts'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { useAllStores } from '../../api/stores.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Day } from '../../parts/day.tsx'
import { Moment } from '../../parts/moment.tsx'
import { type Column, PageTable } from '../../parts/page-table.tsx'
import { RowAction } from '../../parts/row-action.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SecretOnce, type ShownSecret } from '../../parts/secret-once.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useSession } from '../../session.tsx'
import { useWords } from '../../words/index.tsx'
import { OperatorHistory } from './history.tsx'
import { CreateOperator, EditOperator } from './operator-form.tsx'

type Operator = Schemas['Operator']

export function Operators() {
  const words = useWords()
  const { operators } = words
  const { operator: me, can } = useSession()
  const [isCreating, creating] = useDisclosure()
  const [shown, setShown] = useState<ShownSecret>()
  const columns = useColumns()
  const { place } = useAddress(readHistoryPage)
  const page = usePages(
    ['operators'],
    (after) => bodyOf(api.GET('/admin/operators', { params: { query: after === undefined ? {} : { after } } })),
    { place },
  )
  const create = (label: string) => (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
      {label}
    </Button>
  )
  const isEmpty = page.rows?.length === 0 && page.number === 1
  return (
    <Screen title={operators.title} actions={can('operators:write') && !isEmpty && create(operators.create)}>
      {me && (
        <Text c="dimmed" maw={720}>
          {operators.you(me.name, words.roles[me.role])} {!can('operators:write') && operators.rootOnly}
        </Text>
      )}
      <PageTable
        label={operators.list}
        page={page}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty text={operators.none}>{can('operators:write') && create(operators.createFirst)}</Empty>}
      />
      <OperatorHistory />
      <CreateOperator
        isOpen={isCreating}
        onClose={creating.close}
        onIssued={({ name, token }) =>
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
        }
      />
      <SecretOnce shown={shown} onClose={() => setShown(undefined)} />
    </Screen>
  )
}

function useColumns(): Column<Operator>[] {
  const { operators, roles, common } = useWords()
  const { operator: me, can } = useSession()
  const { data: known } = useAllStores()
  // A store beyond the limit of the menu is shown by its id.
  const storeNames = new Map(known?.map(({ id, name }) => [id, name]))
  const dimmed = ({ revoked_at }: Pick<Operator, 'revoked_at'>) => (revoked_at === null ? {} : { c: 'dimmed' })
  return [
    {
      head: operators.name,
      cell: (operator) => (
        <>
          <Group gap="xs">
            <Text size="sm" fw={500} {...dimmed(operator)}>
              {operator.name}
            </Text>
            {operator.id === me?.id && (
              <Badge variant="default" tt="none" fw={500}>
                {operators.isYou}
              </Badge>
            )}
          </Group>
          {operator.email !== null && (
            <Text size="xs" c="dimmed">
              {operator.email}
            </Text>
          )}
        </>
      ),
    },
    {
      head: operators.role,
      width: '9%',
      cell: (operator) => (
        <Text size="sm" {...dimmed(operator)} title={operators.roleWords[operator.role]}>
          {roles[operator.role]}
        </Text>
      ),
    },
    {
      head: operators.stores,
      width: '16%',
      cell: ({ stores, ...operator }) => (
        <Text size="sm" {...dimmed(operator)}>
          {stores?.map((id) => storeNames.get(id) ?? id).join(', ') ?? operators.allStores}
        </Text>
      ),
    },
    {
      head: common.created,
      width: '15%',
      cell: (operator) => (
        <Text size="sm" {...dimmed(operator)}>
          <Moment at={operator.created_at} />
        </Text>
      ),
    },
    {
      head: operators.lastUsed,
      width: '11%',
      cell: (operator) => (
        <Text size="sm" {...dimmed(operator)}>
          <Day of={operator.last_used_at} empty={common.never} />
        </Text>
      ),
    },
    { head: operators.state, width: '13%', cell: (operator) => <OperatorState operator={operator} /> },
    ...(can('operators:write')
      ? [
          {
            head: common.actions,
            width: '7rem',
            cell: (operator: Operator) => (operator.revoked_at === null ? <Actions operator={operator} /> : null),
          },
        ]
      : []),
  ]
}

function OperatorState({ operator: { revoked_at } }: { operator: Operator }) {
  const { operators } = useWords()
  if (revoked_at === null) return <StateBadge state="good">{operators.active}</StateBadge>
  return (
    <>
      <StateBadge state="inactive">{operators.isRevoked}</StateBadge>
      <Text size="xs" c="dimmed">
        <Moment at={revoked_at} />
      </Text>
    </>
  )
}

function Actions({ operator }: { operator: Operator }) {
  const { operators } = useWords()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <Group gap={4} wrap="nowrap">
      <RowAction label={operators.editOne(operator.name)} Icon={IconPencil} onClick={open} />
      <Revoke operator={operator} />
      <EditOperator operator={operator} isOpen={isOpen} onClose={close} />
    </Group>
  )
}

function Revoke({ operator: { id, name } }: { operator: Operator }) {
  const { operators } = useWords()
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange({
    change: () => api.DELETE('/admin/operators/{id}', { params: { path: { id } } }),
    done: operators.revoked,
    onDone: close,
  })
  return (
    <>
      <RowAction label={operators.revokeOne(name)} Icon={IconBan} onClick={open} isDangerous />
      <Confirm
        title={operators.revoke}
        action={operators.revokeAction}
        isOpen={isOpen}
        onClose={close}
        change={change}
        isDangerous
      >
        <Text>{operators.revokeWarning(name)}</Text>
      </Confirm>
    </>
  )
}
