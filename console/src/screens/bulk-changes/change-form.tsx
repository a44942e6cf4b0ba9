import { Checkbox, NumberInput, Radio, Stack } from '@mantine/core'
import { choiceIn } from '../../address.ts'
import type { NewBulkChange } from '../../api/bulk-changes.ts'
import { DueDateInput, endOfDayIn } from '../../parts/due-date-input.tsx'
import { useWords } from '../../words/index.tsx'

/** The API's limit for `extend_days`. */
const MAX_DAYS = 3650
const KINDS = ['extend', 'date', 'close', 'reopen'] as const

/** What the operator has entered so far. */
export interface Draft {
  kind: (typeof KINDS)[number]
  days: number | string
  date: string | null
  /** Whether closed accesses are opened as well. */
  reopens: boolean
}

export function newDraft(): Draft {
  return { kind: 'extend', days: 30, date: endOfDayIn(30), reopens: false }
}

/** Returns undefined while the number of days is invalid. */
export function changeOf({ kind, days, date, reopens }: Draft): NewBulkChange['change'] | undefined {
  if (kind === 'close') return { status: 'without_access' }
  if (kind === 'reopen') return { status: 'with_access' }
  const status = reopens && { status: 'with_access' as const }
  if (kind === 'date') return { access_due_date: date, ...status }
  return typeof days === 'number' && days >= 1 && days <= MAX_DAYS ? { extend_days: days, ...status } : undefined
}

interface Props {
  draft: Draft
  setDraft: (draft: Draft) => void
  /** False if none of the accesses can be closed. */
  mayReopen: boolean
}

export function ChangeForm({ draft, setDraft, mayReopen }: Props) {
  const { bulk } = useWords()
  const { kind, days, date, reopens } = draft
  return (
    <>
      <Radio.Group
        label={bulk.what}
        value={kind}
        onChange={(chosen) => setDraft({ ...draft, kind: choiceIn(chosen, KINDS) ?? kind })}
      >
        <Stack gap="xs" mt="xs">
          {KINDS.map((one) => (
            <Radio key={one} value={one} label={bulk.kinds[one]} />
          ))}
        </Stack>
      </Radio.Group>
      {kind === 'extend' && (
        <NumberInput
          label={bulk.days}
          description={bulk.daysHint}
          value={days}
          onChange={(value) => setDraft({ ...draft, days: value })}
          min={1}
          max={MAX_DAYS}
          allowDecimal={false}
          allowNegative={false}
          error={changeOf(draft) === undefined && bulk.daysWrong(MAX_DAYS)}
        />
      )}
      {kind === 'date' && (
        <DueDateInput label={bulk.date} value={date} onChange={(value) => setDraft({ ...draft, date: value })} />
      )}
      {mayReopen && (kind === 'extend' || kind === 'date') && (
        <Checkbox
          label={bulk.alsoReopen}
          checked={reopens}
          onChange={({ currentTarget }) => setDraft({ ...draft, reopens: currentTarget.checked })}
        />
      )}
    </>
  )
}
