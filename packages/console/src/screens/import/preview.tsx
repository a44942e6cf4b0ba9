import { Alert, Paper, Stack, Text } from '@mantine/core'
import {
  columnsOf,
  CUSTOM_FIELD,
  FileError,
  type FileProblem,
  type Product,
  type Reason,
  type Row,
} from '../../import/engine.ts'
import { type ChosenFile, namedProducts } from '../../import/run-state.ts'
import { endText } from '../../parts/moment.tsx'
import { TitledCard } from '../../parts/titled-card.tsx'
import { type Language, useLanguage, type Words, useWords } from '../../words/index.tsx'
import { useFieldLabel } from './use-field-label.ts'
import { fileProblemText } from './problem-text.ts'
import { reasonText } from './reason-text.ts'
import classes from './preview.module.css'

const SHOWN = 3

/** Shows the first rows as the engine would send them. */
export function Preview({ chosen }: { chosen: ChosenFile }) {
  const words = useWords()
  const { language } = useLanguage()
  const labelOf = useFieldLabel()
  const { timeZone: zone = 'UTC' } = chosen.source
  const previews = previewsOf(chosen)
  if (!Array.isArray(previews))
    return (
      <Alert color="yellow" role="status">
        {fileProblemText(previews, words)}
      </Alert>
    )
  return (
    <TitledCard title={words.import.preview} hint={words.import.previewHint}>
      <Stack gap="xs">
        {previews.map(({ line, item, reasons }) => (
          <Paper withBorder p="sm" key={line}>
            <Text size="xs" c="dimmed" mb={4}>
              {words.import.row(line)}
            </Text>
            {reasons.length > 0 && (
              <Text size="sm">
                {words.import.notSent} {reasons.map((reason) => reasonText(reason, words)).join('; ')}
              </Text>
            )}
            <dl className={classes.fields}>
              {shownFields(item, { labelOf, words, language, zone, products: chosen.products }).map(
                ({ label, value }) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ),
              )}
            </dl>
          </Paper>
        ))}
      </Stack>
    </TitledCard>
  )
}

interface Previewed {
  line: number
  item: Record<string, unknown>
  reasons: Reason[]
}

/** Returns the problem of a file whose columns cannot be imported, such as one named `custom_fields.`. */
function previewsOf(chosen: ChosenFile): Previewed[] | FileProblem {
  const { head, source, rename } = chosen
  try {
    const opened = { format: head.format, header: head.columns, ...readingOf(source) }
    const columns = columnsOf(opened, { rename, splits: chosen.splits, products: namedProducts(chosen) })
    return head.rows.slice(0, SHOWN).map((row) => previewed(row, columns))
  } catch (error) {
    if (error instanceof FileError) return error.problem
    throw error
  }
}

function readingOf({ dates, timeZone }: ChosenFile['source']) {
  return { dates, ...(timeZone !== undefined && { timeZone }) }
}

function previewed(row: Row, columns: ReturnType<typeof columnsOf>): Previewed {
  const { line } = row
  return { line, ...columns.toItem(row) }
}

interface Naming {
  labelOf: (field: string) => string
  products: Product[]
  words: Words
  language: Language
  zone: string
}

function shownFields(item: Record<string, unknown>, naming: Naming): { label: string; value: string }[] {
  const { labelOf, words } = naming
  return Object.entries(item).flatMap(([field, value]) => {
    if (field === 'custom_fields' && isRecord(value))
      return Object.entries(value).map(([key, own]) => ({ label: labelOf(CUSTOM_FIELD + key), value: textOf(own) }))
    if (field === 'product_accesses' && Array.isArray(value)) {
      const accesses = value.filter(isRecord).map((access) => accessText(access, naming))
      return [{ label: words.import.ofProducts, value: accesses.join(', ') }]
    }
    return [{ label: labelOf(field), value: field === 'password' ? '••••••••' : textOf(value) }]
  })
}

function accessText(access: Record<string, unknown>, { words, language, zone, products }: Naming): string {
  const { slug, product_id, status, access_due_date: due } = access
  const parts = [products.find((product) => product.slug === slug)?.name ?? textOf(slug ?? product_id)]
  if (status !== undefined) parts.push(statusText(status, words.statuses))
  if (due !== undefined)
    parts.push(due === null ? words.import.noLimit : words.import.until(endText(textOf(due), language, zone)))
  return parts.join(' · ')
}

/** Whatever the file has that is no status is shown as it is. */
function statusText(status: unknown, names: Record<string, string>): string {
  const text = textOf(status)
  return (Object.hasOwn(names, text) ? names[text] : undefined) ?? text
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
