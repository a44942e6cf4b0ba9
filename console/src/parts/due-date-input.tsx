import { Button, Checkbox, Group, Stack } from '@mantine/core'
import dayjs from 'dayjs'
import { useWords } from '../words/index.tsx'
import { MomentInput } from './moment-input.tsx'

const END_OF_DAY = '23:59:59'
const PRESETS = [30, 90, 365]

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
      <MomentInput {...props} value={value} onChange={onChange} placeholder={dueDate.noLimit} timeOfDay={END_OF_DAY} />
      <Group gap={6}>
        {PRESETS.map((days) => (
          <Button key={days} size="compact-xs" variant="default" onClick={() => onChange(endOfDayIn(days))}>
            {dueDate.inDays(days)}
          </Button>
        ))}
      </Group>
      <Checkbox
        label={dueDate.noLimit}
        checked={value === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : endOfDayIn(30))}
      />
    </Stack>
  )
}

/** Returns the end of the day in the operator's time zone, as a time in UTC. */
export function endOfDayIn(days: number): string {
  return dayjs().add(days, 'day').endOf('day').millisecond(0).toISOString()
}
