import { Alert, Card, Paper, Stack, Text, Title } from '@mantine/core'
import { useCustomFields } from '../../api/custom-fields.ts'
import { columnsOf, FileError, type FileProblem, type Reason, type Row } from '../../import/engine.ts'
import type { ChosenFile } from '../../import/run-state.ts'
import { useStore } from '../../store.ts'
import { type Words, useWords } from '../../words/index.tsx'
import { fieldLabel } from './field-label.ts'
import { fileProblemText } from './problem-text.ts'
import { reasonText } from './reason-text.ts'
import classes from './preview.module.css'

const SHOWN = 3

/** Shows the first rows as the engine would send them. */
export function Preview({ chosen }: { chosen: ChosenFile }) {
  const words = useWords()
  const store = useStore()
  const { data: defined } = useCustomFields(store)
  const labels = new Map(defined?.map(({ key, label }) => [key, label ?? key]))
  const previews = previewsOf(chosen)
  if (!Array.isArray(previews))
    return (
      <Alert color="yellow" role="status">
        {fileProblemText(previews, words)}
      </Alert>
    )
  return (
    <Card withBorder>
      <Title order={2} size="h4">
        {words.import.preview}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.import.previewHint}
      </Text>
      <Stack gap="xs">
        {previews.map(({ line, item, reasons }) => (
          <Paper withBorder p="sm" key={line}>
            <Text size="xs" c="dimmed" mb={4}>
              {words.import.line(line)}
            </Text>
            {reasons.length > 0 && (
              <Text size="sm">
                {words.import.notSent} {reasons.map((reason) => reasonText(reason, words)).join('; ')}
              </Text>
            )}
            <dl className={classes.fields}>
              {shownFields(item, labels, words).map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </Paper>
        ))}
      </Stack>
    </Card>
  )
}

interface Previewed {
  line: number
  item: Record<string, unknown>
  reasons: Reason[]
}

/** Returns the problem of a file whose columns cannot be imported, such as one named `custom_fields.`. */
function previewsOf({ head, rename }: ChosenFile): Previewed[] | FileProblem {
  try {
    const columns = columnsOf({ format: head.format, header: head.columns }, rename)
    return head.rows.slice(0, SHOWN).map((row) => previewed(row, columns))
  } catch (error) {
    if (error instanceof FileError) return error.problem
    throw error
  }
}

function previewed(row: Row, columns: ReturnType<typeof columnsOf>): Previewed {
  const { line } = row
  const made = columns.toItem(row)
  return 'item' in made ? { line, item: made.item, reasons: [] } : { line, item: {}, reasons: made.reasons }
}

/** `labels` names the custom fields by their keys. */
function shownFields(
  item: Record<string, unknown>,
  labels: ReadonlyMap<string, string>,
  words: Words,
): { label: string; value: string }[] {
  return Object.entries(item).flatMap(([field, value]) => {
    if (field === 'custom_fields' && isRecord(value))
      return Object.entries(value).map(([key, own]) => ({ label: labels.get(key) ?? key, value: textOf(own) }))
    if (field === 'product_accesses' && Array.isArray(value)) {
      const accesses = value.filter(isRecord).map((access) => accessText(access, words))
      return [{ label: words.import.ofProducts, value: accesses.join(', ') }]
    }
    return [{ label: fieldLabel(field, words), value: field === 'password' ? '••••••••' : textOf(value) }]
  })
}

function accessText({ slug, product_id, status, access_due_date: due }: Record<string, unknown>, words: Words): string {
  const parts = [textOf(slug ?? product_id)]
  if (status !== undefined) parts.push(statusText(status, words.statuses))
  if (due !== undefined) parts.push(due === null ? words.import.noLimit : words.import.until(textOf(due)))
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
