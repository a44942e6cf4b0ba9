import { NativeSelect, Text } from '@mantine/core'
import { useCustomFields } from '../../api/custom-fields.ts'
import { ACCESS_IDS, CUSTOM_FIELD, fieldsOf, NO_FIELD, PRODUCTS, REQUIRED, valueIn } from '../../import/engine.ts'
import type { Job } from '../../import/job.ts'
import type { ChosenFile } from '../../import/run-state.ts'
import { TextLink } from '../../parts/links.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { useWords } from '../../words/index.tsx'
import { useFieldLabel } from './use-field-label.ts'

const EXAMPLES = 3

/** Shows the columns of the file with a select for the field of each. */
export function Columns({ store, job, chosen }: { store: string; job: Job; chosen: ChosenFile }) {
  const words = useWords()
  const choices = useChoices(store, chosen)
  const { columns, rows } = chosen.head
  const hasProducts = Object.values(chosen.rename).some((field) => PRODUCTS.includes(field))
  return (
    <>
      <DataTable
        label={words.import.columns}
        columns={[{ head: words.import.column }, { head: words.import.examples }, { head: words.import.field }]}
        rows={[...new Set(columns)].map((column) => {
          const name = column === '' ? words.import.unnamed : column
          const values = rows
            .map((row) => valueIn(row, column, columns.indexOf(column)))
            .filter((value) => value !== '')
          return {
            key: column,
            cells: [
              <Text span fw={500} key="name">
                {name}
              </Text>,
              <Text span size="sm" c="dimmed" lineClamp={2} key="examples">
                {values.slice(0, EXAMPLES).join(' · ')}
              </Text>,
              <NativeSelect
                key="field"
                flex={1}
                miw={0}
                aria-label={words.import.fieldOf(name)}
                data={choices}
                value={chosen.rename[column] ?? NO_FIELD}
                onChange={({ currentTarget }) =>
                  job.change({ rename: { ...chosen.rename, [column]: currentTarget.value } })
                }
              />,
            ],
          }
        })}
      />
      {hasProducts && (
        <Text size="sm" mt="sm">
          {words.import.coursesHint}{' '}
          <TextLink size="sm" underline="always" to="/s/$store/products" params={{ store }}>
            {words.import.courses}
          </TextLink>
        </Text>
      )}
    </>
  )
}

/** Includes custom fields that the file names but the store does not have. The dry run reports them. */
function useChoices(store: string, { head, rename }: ChosenFile) {
  const words = useWords()
  const { data: defined = [] } = useCustomFields(store)
  const labelOf = useFieldLabel()
  const ids = ACCESS_IDS.filter((field) => Object.values(rename).includes(field))
  const fields = [...fieldsOf(head.format), ...ids]
  const named = Object.values(rename).filter((field) => field.startsWith(CUSTOM_FIELD))
  const custom = [...new Set([...defined.map(({ key }) => CUSTOM_FIELD + key), ...named])]
  const ofProducts = fields.filter(
    (field) => PRODUCTS.includes(field) || field === 'product_accesses' || ids.some((id) => id === field),
  )
  const ofCustomFields = [...custom, 'custom_fields']
  const ofUser = fields.filter((field) => !ofProducts.includes(field) && !ofCustomFields.includes(field))
  const choice = (field: string) => {
    const label = labelOf(field)
    return { value: field, label: REQUIRED.includes(field) ? `${label} *` : label }
  }
  return [
    { value: NO_FIELD, label: words.import.ignore },
    { group: words.import.ofUser, items: ofUser.map(choice) },
    { group: words.import.ofCustomFields, items: ofCustomFields.map(choice) },
    { group: words.import.ofProducts, items: ofProducts.map(choice) },
  ]
}
