import { Checkbox, Radio, Stack } from '@mantine/core'
import { choiceIn } from '../../address.ts'
import { DueDateInput } from '../../parts/due-date-input.tsx'
import { useWords } from '../../words/index.tsx'
import { type Draft, KINDS } from './change.ts'
import { SpanInput } from './span-input.tsx'

interface Props {
  draft: Draft
  setDraft: (draft: Draft) => void
  /** False if none of the accesses can be closed. */
  mayReopen: boolean
  isInvalid: boolean
}

export function ChangeForm({ draft, setDraft, mayReopen, isInvalid }: Props) {
  const { bulk } = useWords()
  const { kind, date, neverShortens, reopens } = draft
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
        <SpanInput value={draft} onChange={(span) => setDraft({ ...draft, ...span })} isInvalid={isInvalid} />
      )}
      {kind === 'date' && (
        <>
          <DueDateInput label={bulk.date} value={date} onChange={(value) => setDraft({ ...draft, date: value })} />
          {date !== null && (
            <Checkbox
              label={bulk.neverShorten}
              description={bulk.neverShortenHint}
              checked={neverShortens}
              onChange={({ currentTarget }) => setDraft({ ...draft, neverShortens: currentTarget.checked })}
            />
          )}
        </>
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
