import { Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core'
import dayjs from 'dayjs'
import { useLanguage, useWords } from '../words/index.tsx'
import { endOf, endOfDayIn, toDueDate } from './due-days.ts'
import { MomentInput } from './moment-input.tsx'

const END_OF_DAY = '23:59:59'
const PRESETS = [30, 90, 365]
const MONTHS = 18

interface Props {
  label: string
  /** A time in UTC; null means no limit. */
  value: string | null
  onChange: (value: string | null) => void
  error?: string | undefined
  description?: string | undefined
}

/**
 * An input for the time when an access ends, in the operator's time zone. A day that is picked without a time counts
 * until its end, or the access would end at its beginning.
 */
export function DueDateInput({ value, onChange, ...props }: Props) {
  const { dueDate } = useWords()
  return (
    <Stack gap="xs">
      <MomentInput
        {...props}
        value={value}
        onChange={(picked) => onChange(toDueDate(picked))}
        placeholder={dueDate.noLimit}
        timeOfDay={END_OF_DAY}
      />
      <Group gap={6}>
        {PRESETS.map((days) => (
          <Button key={days} size="compact-xs" variant="default" onClick={() => onChange(endOfDayIn(days))}>
            {dueDate.inDays(days)}
          </Button>
        ))}
        <EndOfMonth value={value} onChange={onChange} />
      </Group>
      <Checkbox
        label={dueDate.noLimit}
        checked={value === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : endOfDayIn(30))}
      />
    </Stack>
  )
}

/** Courses often end with a month. In the calendar, a date next year takes six clicks. */
function EndOfMonth({ value, onChange }: Pick<Props, 'value' | 'onChange'>) {
  const { dueDate } = useWords()
  const { language } = useLanguage()
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' })
  const ends = Array.from({ length: MONTHS }, (_, i) => endOf(dayjs().add(i, 'month').endOf('month')))
  return (
    <NativeSelect
      size="xs"
      aria-label={dueDate.endOfMonth}
      data={[
        { value: '', label: `${dueDate.endOfMonth}…` },
        ...ends.map((end) => ({ value: end, label: format.format(new Date(end)) })),
      ]}
      value={ends.find((end) => end === value) ?? ''}
      onChange={({ currentTarget }) => currentTarget.value !== '' && onChange(currentTarget.value)}
    />
  )
}
