import { Box, Button, Group, Select } from '@mantine/core'
import { dayAt, startOfDay } from '../../../../../src/calendar.ts'
import { useProducts } from '../../api/products.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useDayText } from '../../parts/moment.tsx'
import { useWords } from '../../words/index.tsx'
import { choiceIn } from '../../address.ts'
import { SearchSelect } from '../../parts/search-select.tsx'
import { ACCESS_STATES } from '../../parts/access-states.ts'
import { DayInput } from '../../parts/moment-input.tsx'
import { useZone } from '../../zone.tsx'
import { fieldFilter } from '../users/field-filter.ts'
import { FieldInputs } from '../users/field-inputs.tsx'
import { UserPicker } from '../users/user-picker.tsx'
import { type AccessFilter, DUE, DUE_DAYS, accessFilter, dueChoiceOf } from './filter.ts'

interface Props {
  store: string
  value: AccessFilter
  onChange: (value: AccessFilter) => void
}

export function AccessFilters({ store, value, onChange }: Props) {
  const words = useWords()
  const { accesses } = words
  const due = useDueChoices(value)
  const { data: products = [], error, refetch } = useProducts(store)
  const change = (changes: { [F in keyof AccessFilter]: AccessFilter[F] | undefined }) =>
    onChange(accessFilter({ ...value, ...changes }))
  const { product, state } = value
  const zone = useZone()
  const startOf = (day: string) => new Date(startOfDay(day, zone)).toISOString()
  const choices = products.map(({ id, name }) => ({ value: id, label: name }))
  // The product may be missing from the limited list, or deleted. Without an option for it, the select would look as if
  // no product was chosen.
  if (product !== undefined && !choices.some((choice) => choice.value === product)) {
    choices.push({ value: product, label: accesses.productNumber(product) })
  }
  return (
    <>
      <FailureNote error={error} retry={() => void refetch()} />
      <Group align="end" gap="sm">
        <SearchSelect
          flex="2 1 12rem"
          maw={320}
          label={accesses.product}
          placeholder={accesses.anyProduct}
          data={choices}
          value={product ?? null}
          onChange={(id) => change({ product: id ?? undefined })}
          clearable
          nothingFoundMessage={accesses.noMatchingProduct}
          clearButtonProps={{ 'aria-label': accesses.anyProduct }}
        />
        <UserPicker store={store} value={value.user} onChange={(user) => change({ user })} />
        <Select
          flex="1 1 9rem"
          maw={220}
          label={accesses.state}
          data={[
            { value: 'any', label: accesses.anyState },
            ...ACCESS_STATES.map((one) => ({ value: one, label: words.accessStates[one] })),
          ]}
          value={state ?? 'any'}
          onChange={(chosen) => change({ state: choiceIn(chosen, ACCESS_STATES) })}
          allowDeselect={false}
        />
        <Select
          flex="1 1 9rem"
          maw={220}
          label={accesses.due}
          data={due}
          value={dueChoiceOf(value)}
          onChange={(chosen) =>
            chosen !== null &&
            chosen !== 'between' &&
            change({
              due: choiceIn(chosen, DUE),
              due_after: undefined,
              due_before: chosen === 'before' ? startOf(dayAt(Date.now(), zone)) : undefined,
            })
          }
          allowDeselect={false}
        />
        {dueChoiceOf(value) === 'before' && value.due_before !== undefined && (
          <Box flex="1 1 8rem" maw={180}>
            <DayInput
              label={accesses.day}
              value={dayAt(Date.parse(value.due_before), zone)}
              onChange={(day) => day !== null && change({ due_before: startOf(day) })}
            />
          </Box>
        )}
        <FieldInputs
          value={fieldFilter({ ...value })}
          onChange={({ field, value: text }) => change({ field, value: text })}
        />
        {Object.keys(value).length > 0 && (
          <Button variant="subtle" onClick={() => onChange({})}>
            {words.common.clearFilters}
          </Button>
        )}
      </Group>
    </>
  )
}

function useDueChoices(value: AccessFilter) {
  const { accesses } = useWords()
  const dayText = useDayText()
  const dayOf = (time: string | undefined) => time && dayText(time)
  const choices = [
    { value: 'any', label: accesses.dueAny },
    ...DUE_DAYS.map((days) => ({ value: days, label: accesses.dueWithin(Number(days)) })),
    { value: 'past', label: accesses.duePast },
    { value: 'before', label: accesses.dueBeforeDay },
    { value: 'none', label: accesses.noLimit },
  ]
  return dueChoiceOf(value) === 'between'
    ? [...choices, { value: 'between', label: accesses.dueBetween(dayOf(value.due_after), dayOf(value.due_before)) }]
    : choices
}
