import { Text } from '@mantine/core'
import {
  type AccessChange,
  type AccessState,
  type Change,
  type Effect,
  type Inspection,
  nameChange,
} from '../../import/engine.ts'
import { beforeSheet } from '../../import/file.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { useProducts } from '../../api/products.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { endText } from '../../parts/moment.tsx'
import { useStore } from '../../store.ts'
import { useFieldLabel } from './use-field-label.ts'
import { RowCard, SHOWN } from './row-card.tsx'

const NAMES = new Set(['name', 'last_name'])

interface Props {
  title: string
  fileName: string
  inspection: Inspection
  rename: Record<string, string>
  /** In which the days of accesses are. */
  zone: string
  isDryRun: boolean
  changes: Change[]
}

/** Shows which values of existing users an update replaces. Names come first: another name may be another person. */
export function Changes({ title, fileName, inspection, rename, zone, isDryRun, changes }: Props) {
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
            make={() => beforeSheet({ inspection, rename, zone }, changes, words.import.beforeSheet)}
          />
        )
      }
      about={words.import.changesHead}
      rows={shown.map((change) => ({
        line: change.line,
        person: change.person,
        content: <ChangeTexts change={change} zone={zone} isDryRun={isDryRun} />,
      }))}
      more={changes.length > SHOWN ? words.import.moreChanges(changes.length - SHOWN) : undefined}
    />
  )
}

function ChangeTexts({ change, zone, isDryRun }: { change: Change; zone: string; isDryRun: boolean }) {
  const words = useWords()
  const labelOf = useFieldLabel()
  const { language } = useLanguage()
  const { data: products = [] } = useProducts(useStore())
  const name = nameChange(change)
  const { repeats, changes, accesses = [] } = change
  const effects = words.import.effects[isDryRun ? 'dry' : 'real']
  const dueText = (state: AccessState | undefined) =>
    state?.due === undefined ? '' : state.due === null ? words.import.noLimit : endText(state.due, language, zone)
  const effectText = (effect: Effect, { from, to }: AccessChange) => {
    const isDate = effect === 'earlier' || effect === 'later'
    const dates = isDate ? [dueText(from), dueText(to)] : effect === 'granted' ? [dueText(to)] : []
    const shown = dates.filter((text) => text !== '')
    return shown.length === 0 ? effects[effect](1) : `${effects[effect](1)} (${shown.join(' → ')})`
  }
  // Of a name that is only split in another way, the parts are shown.
  const isMoved = name !== undefined && name.from === name.to
  const rest = changes.filter(({ field }) => isMoved || !NAMES.has(field))
  return (
    <div>
      {repeats !== undefined && (
        <Text size="sm" fw={600}>
          {labelOf('email')}: {words.import.repeatedIn(repeats)}
        </Text>
      )}
      {name && name.from !== name.to && (
        <Text size="sm" fw={600}>
          {name.from} → {name.to}
        </Text>
      )}
      {accesses.map((access) => (
        <Text size="sm" key={access.slug} fw={access.effects.includes('earlier') ? 600 : undefined}>
          {products.find(({ slug }) => slug === access.slug)?.name ?? access.product}:{' '}
          {access.effects.map((effect) => effectText(effect, access)).join('; ')}
        </Text>
      ))}
      {rest.map(({ field, from, to }) => (
        <Text size="sm" key={field}>
          {labelOf(field)}
          {field !== 'password' && `: ${from || words.import.nothing} → ${to || words.import.nothing}`}
        </Text>
      ))}
    </div>
  )
}

/** Names first, then what takes something away. */
function rankOf(change: Change): number {
  if (nameChange(change) || change.repeats !== undefined) return 0
  const effects = new Set((change.accesses ?? []).flatMap((access) => access.effects))
  return effects.has('earlier') ? 1 : effects.has('closed') ? 2 : 3
}
