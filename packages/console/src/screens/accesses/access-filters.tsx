import { Button, Group, Select } from '@mantine/core'
import { useProducts } from '../../api/products.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useLanguage, useWords } from '../../words/index.tsx'
import { choiceIn } from '../../address.ts'
import { SearchSelect } from '../../parts/search-select.tsx'
import { ACCESS_STATES } from '../../parts/access-states.ts'
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
            change({ due: choiceIn(chosen, DUE), due_after: undefined, due_before: undefined })
          }
          allowDeselect={false}
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
  const { language } = useLanguage()
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  const dayOf = (time: string | undefined) => time && format.format(new Date(time))
  const choices = [
    { value: 'any', label: accesses.dueAny },
    ...DUE_DAYS.map((days) => ({ value: days, label: accesses.dueWithin(Number(days)) })),
    { value: 'past', label: accesses.duePast },
  ]
  return dueChoiceOf(value) === 'between'
    ? [...choices, { value: 'between', label: accesses.dueBetween(dayOf(value.due_after), dayOf(value.due_before)) }]
    : choices
}
