import { Text } from '@mantine/core'
import { type Change, type Inspection, nameChange } from '../../import/engine.ts'
import { beforeSheet } from '../../import/file.ts'
import { useWords } from '../../words/index.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { useFieldLabel } from './use-field-label.ts'
import { RowCard, SHOWN } from './row-card.tsx'

const NAMES = new Set(['name', 'last_name'])

interface Props {
  title: string
  fileName: string
  inspection: Inspection
  rename: Record<string, string>
  changes: Change[]
}

/** Shows which values of existing users an update replaces. Names come first: another name may be another person. */
export function Changes({ title, fileName, inspection, rename, changes }: Props) {
  const words = useWords()
  if (changes.length === 0) return null
  const shown = changes.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, SHOWN)
  return (
    <RowCard
      title={title}
      hint={words.import.changesHint}
      download={
        inspection.format === 'csv' && (
          <DownloadButton
            label={words.import.downloadBefore}
            name={`${fileName}.before.xlsx`}
            make={() => beforeSheet({ inspection, rename }, changes, words.import.beforeSheet)}
          />
        )
      }
      about={words.import.changesHead}
      rows={shown.map((change) => ({
        line: change.line,
        person: change.person,
        content: <ChangeTexts change={change} />,
      }))}
      more={changes.length > SHOWN ? words.import.moreChanges(changes.length - SHOWN) : undefined}
    />
  )
}

function ChangeTexts({ change }: { change: Change }) {
  const words = useWords()
  const labelOf = useFieldLabel()
  const name = nameChange(change)
  const { repeats, changes } = change
  const rest = changes.filter(({ field }) => !NAMES.has(field))
  return (
    <div>
      {repeats !== undefined && (
        <Text size="sm" fw={600}>
          {labelOf('email')}: {words.import.repeatedIn(repeats)}
        </Text>
      )}
      {name && (
        <Text size="sm" fw={600}>
          {name.from} → {name.to}
        </Text>
      )}
      {rest.map(({ field, from, to }) => (
        <Text size="sm" key={field}>
          {labelOf(field)}
          {field !== 'password' && `: ${from || words.import.nothing} → ${to || words.import.nothing}`}
        </Text>
      ))}
    </div>
  )
}

function rankOf(change: Change): number {
  return nameChange(change) || change.repeats !== undefined ? 0 : 1
}
