import { Button, Group, Paper, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { TextLink } from '../../parts/links.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { fullName } from '../users/selection.tsx'
import { type BulkScope, MAX_CHOSEN, productOf } from '../bulk-changes/scope.ts'
import type { AccessFilter } from './filter.ts'

interface Props {
  filter: AccessFilter
  chosen: Schemas['ProductAccess'][]
  onClear: () => void
  onOpen: (scope: BulkScope) => void
}

/** Opens the bulk change of all matches, or of the accesses that are selected. */
export function BulkBar({ filter, chosen, onClear, onOpen }: Props) {
  const { accesses, bulk } = useWords()
  const isNone = chosen.length === 0
  // The service cannot select accesses without an end, and would change all.
  const problem = isNone
    ? filter.due === 'none'
      ? bulk.onlyChosen
      : undefined
    : chosen.length > MAX_CHOSEN
      ? bulk.tooMany(MAX_CHOSEN)
      : productOf(chosen) === undefined
        ? bulk.severalProducts
        : undefined
  return (
    <Paper withBorder p="xs" pl="md">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" aria-live="polite">
            {isNone ? accesses.selectHint : accesses.selected(chosen.length)}
          </Text>
          {!isNone && (
            <Button size="compact-sm" variant="subtle" onClick={onClear}>
              {accesses.selectNone}
            </Button>
          )}
        </Group>
        {isNone ? (
          <Button size="xs" disabled={filter.due === 'none'} onClick={() => onOpen({ filter })}>
            {bulk.openForAll}
          </Button>
        ) : (
          <Button size="xs" disabled={problem !== undefined} onClick={() => onOpen({ filter, chosen })}>
            {bulk.openForChosen}
          </Button>
        )}
      </Group>
      {problem !== undefined && (
        <Text size="sm" mt={4}>
          {problem} <ToOneUser chosen={chosen} />
        </Text>
      )}
    </Paper>
  )
}

/** Accesses of one user to several products can be changed on the page of the user, all at once. */
function ToOneUser({ chosen }: Pick<Props, 'chosen'>) {
  const { bulk } = useWords()
  const store = useStore()
  const [user] = new Map(chosen.map((access) => [access.user.id, access.user])).values()
  if (user === undefined || chosen.some((access) => access.user.id !== user.id)) return null
  return (
    <TextLink inherit to="/s/$store/users/$id" params={{ store, id: user.id }}>
      {bulk.allOfUser(fullName(user))}
    </TextLink>
  )
}
