import { NumberInput, SegmentedControl, Stack, Text } from '@mantine/core'
import { choiceIn } from '../../address.ts'
import { useWords } from '../../words/index.tsx'
import { MAX_DAYS, type SpanDraft, SPANS } from './span.ts'

interface Props {
  value: SpanDraft
  onChange: (value: SpanDraft) => void
  isInvalid: boolean
}

/** By how much accesses are extended. */
export function SpanInput({ value, onChange, isInvalid }: Props) {
  const { bulk } = useWords()
  const { span, days } = value
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label={bulk.byHowMuch}
        data={SPANS.map((one) => ({ value: one, label: bulk.spans[one] }))}
        value={span}
        onChange={(chosen) => onChange({ ...value, span: choiceIn(chosen, SPANS) ?? span })}
      />
      {span === 'days' && (
        <NumberInput
          label={bulk.days}
          value={days}
          onChange={(typed) => onChange({ ...value, days: typed })}
          min={1}
          max={MAX_DAYS}
          allowDecimal={false}
          allowNegative={false}
          error={isInvalid && bulk.daysWrong(MAX_DAYS)}
        />
      )}
      <Text size="xs" c="dimmed">
        {bulk.daysHint}
      </Text>
    </Stack>
  )
}
