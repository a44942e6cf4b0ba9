import { Checkbox, NumberInput, Radio, Stack } from '@mantine/core'
import { choiceIn } from '../../address.ts'
import { DueDateInput } from '../../parts/due-date-input.tsx'
import { useWords } from '../../words/index.tsx'
import { type Draft, KINDS, MAX_DAYS } from './change.ts'

interface Props {
  draft: Draft
  setDraft: (draft: Draft) => void
  /** False if none of the accesses can be closed. */
  mayReopen: boolean
  isInvalid: boolean
}

export function ChangeForm({ draft, setDraft, mayReopen, isInvalid }: Props) {
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
          error={isInvalid && bulk.daysWrong(MAX_DAYS)}
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
