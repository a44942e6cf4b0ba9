import { Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core'
import { useLanguage, useWords } from '../words/index.tsx'
import { useZone } from '../zone.tsx'
import { endOfDayIn, endOfDayInMonths, endsOfMonths } from './due-days.ts'
import { MomentInput } from './moment-input.tsx'

const PRESETS = [1, 3, 12] as const
const MONTHS = 18

interface Props {
  label: string
  /** A time in UTC; null means no limit. */
  value: string | null
  onChange: (value: string | null) => void
  error?: string | undefined
  description?: string | undefined
}

/** An input for the time when an access ends. A day without a time counts until its end. */
export function DueDateInput({ value, onChange, ...props }: Props) {
  const { dueDate } = useWords()
  const zone = useZone()
  return (
    <Stack gap="xs">
      <MomentInput {...props} value={value} onChange={onChange} placeholder={dueDate.noLimit} isEnd />
      <Group gap={6}>
        {PRESETS.map((months) => (
          <Button
            key={months}
            size="compact-xs"
            variant="default"
            onClick={() => onChange(endOfDayInMonths(months, zone))}
          >
            {dueDate.inMonths[months]}
          </Button>
        ))}
        <EndOfMonth value={value} onChange={onChange} />
      </Group>
      <Checkbox
        label={dueDate.noLimit}
        checked={value === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : endOfDayIn(30, zone))}
      />
    </Stack>
  )
}

/** Courses often end with a month. In the calendar, a date next year takes six clicks. */
function EndOfMonth({ value, onChange }: Pick<Props, 'value' | 'onChange'>) {
  const { dueDate } = useWords()
  const { language } = useLanguage()
  const zone = useZone()
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: zone })
  const ends = endsOfMonths(MONTHS, zone)
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
