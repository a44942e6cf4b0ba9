import { Alert, Button, Card, Checkbox, Group, List, Radio, Stack, Text } from '@mantine/core'
import { ignoredDays, ignoredStatuses } from '../../import/engine.ts'
import type { Job } from '../../import/job.ts'
import type { ChosenFile, Problem, Run } from '../../import/run-state.ts'
import { isComplete, type MappingProblems, problemsOf } from '../../import/targets.ts'
import { TitledCard } from '../../parts/titled-card.tsx'
import { useWords } from '../../words/index.tsx'
import { Columns } from './columns.tsx'
import { fieldLabel } from './field-label.ts'
import { NameSplits } from './name-splits.tsx'
import { Preview } from './preview.tsx'
import { RecognizedCard } from './recognized-card.tsx'
import { UnknownProducts } from './unknown-products.tsx'
import { useFieldLabel } from './use-field-label.ts'

interface Props {
  store: string
  job: Job
  chosen: ChosenFile
  /** The last run with these settings. */
  run: Run | undefined
  /** Why the file cannot be read with the last correction. */
  problem: Problem | undefined
  isBusy: boolean
}

const MODES = ['fail', 'skip', 'update', 'only_update'] as const

/** The settings of an import: the mapping of the columns and what happens to existing users, with a preview. */
export function Settings({ store, job, chosen, run, problem, isBusy }: Props) {
  const words = useWords()
  const { first = [] } = run?.inspection?.sharedEmails?.renames ?? {}
  const problems = problemsOf(chosen.head.columns, chosen.rename)
  const isReady = isComplete(problems)
  return (
    <>
      <RecognizedCard job={job} chosen={chosen} problem={problem} isBusy={isBusy} />
      <TitledCard title={words.import.columns} hint={words.import.columnsHint} isDisabled={isBusy}>
        <Columns store={store} job={job} chosen={chosen} />
        <MappingNote problems={problems} />
        <UnclearNote chosen={chosen} />
        <IgnoredNote chosen={chosen} />
      </TitledCard>
      <Card withBorder component="fieldset" mx={0} disabled={isBusy}>
        <Radio.Group
          label={words.import.existing}
          description={words.import.existingHint}
          value={chosen.only === 'update' ? 'only_update' : chosen.onExisting}
          onChange={(value) => job.change(settingsOf(value))}
        >
          <Group mt="xs">
            {MODES.map((mode) => (
              <Radio key={mode} value={mode} label={words.import.onExisting[mode]} />
            ))}
          </Group>
        </Radio.Group>
        {chosen.onExisting === 'update' && Object.values(chosen.rename).includes('product_due_date') && (
          <Checkbox
            mt="md"
            label={words.import.neverShorten}
            description={words.import.neverShortenHint}
            checked={chosen.isNeverShorten}
            onChange={({ currentTarget }) => job.change({ isNeverShorten: currentTarget.checked })}
          />
        )}
        {chosen.onExisting === 'skip' && Object.values(chosen.rename).includes('product') && (
          <Text size="sm" mt="md">
            {words.import.skipHint}
          </Text>
        )}
        {chosen.onExisting === 'update' && (first.length > 0 || chosen.isRenaming) && (
          <Checkbox
            mt="md"
            label={words.import.renaming}
            description={first.map(({ line, earlier }) => words.import.renamesRow(line, earlier)).join(' ')}
            checked={chosen.isRenaming}
            onChange={({ currentTarget }) => job.change({ isRenaming: currentTarget.checked })}
          />
        )}
      </Card>
      <UnknownProducts job={job} chosen={chosen} />
      {isReady && <NameSplits job={job} chosen={chosen} />}
      {isReady && <Preview chosen={chosen} />}
      {!isBusy && (
        <Group>
          <Button variant="default" disabled={!isReady} onClick={() => void job.start(true)}>
            {words.import.check}
          </Button>
          <Button disabled={!isReady} onClick={() => void job.start(false)}>
            {words.import.run}
          </Button>
        </Group>
      )}
    </>
  )
}

function settingsOf(value: string): Pick<ChosenFile, 'onExisting' | 'only'> {
  const mode = MODES.find((each) => each === value) ?? 'fail'
  return mode === 'only_update' ? { onExisting: 'update', only: 'update' } : { onExisting: mode, only: undefined }
}

function MappingNote({ problems }: { problems: MappingProblems }) {
  const words = useWords()
  if (isComplete(problems)) return null
  const names = (fields: string[]) => fields.map((field) => fieldLabel(field, words)).join(', ')
  return (
    <Alert color="yellow" mt="md" role="status">
      <Stack gap={4}>
        <List size="sm" listStyleType="none">
          {problems.missing.length > 0 && <List.Item>{words.import.missing(names(problems.missing))}</List.Item>}
          {problems.repeated.length > 0 && <List.Item>{words.import.repeated(names(problems.repeated))}</List.Item>}
          {problems.sameHeading.length > 0 && (
            <List.Item>{words.import.sameHeading(problems.sameHeading.join(', '))}</List.Item>
          )}
          {problems.missesProduct && <List.Item>{words.import.missingProduct}</List.Item>}
        </List>
      </Stack>
    </Alert>
  )
}

/** Asks which column a field is, until one is chosen. */
function UnclearNote({ chosen: { unclear, rename } }: { chosen: ChosenFile }) {
  const words = useWords()
  const labelOf = useFieldLabel()
  const taken = new Set(Object.values(rename))
  const open = unclear.filter(({ field }) => !taken.has(field))
  if (open.length === 0) return null
  return (
    <Alert color="yellow" mt="md" role="status">
      <List size="sm" listStyleType="none">
        {open.map(({ field, columns }) => (
          <List.Item key={field}>{words.import.unclear(labelOf(field), columns)}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** What is not read, although it says how long somebody has access, or whether at all. */
function IgnoredNote({ chosen: { head, rename } }: { chosen: ChosenFile }) {
  const words = useWords()
  const days = ignoredDays(head, rename)
  const texts = [
    ...(days.length > 0 ? [words.import.ignoredDays(days)] : []),
    ...ignoredStatuses(head, rename).map(({ column, values }) => words.import.ignoredStatus(column, values)),
  ]
  return texts.map((text) => (
    <Alert color="yellow" mt="md" role="status" key={text}>
      {text}
    </Alert>
  ))
}
