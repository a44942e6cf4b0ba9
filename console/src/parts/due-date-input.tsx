import '@mantine/dates/styles.css'
import 'dayjs/locale/es'
import 'dayjs/locale/pt'
import { Checkbox, Stack } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import dayjs from 'dayjs'
import { useLanguage, useWords } from '../words/index.tsx'

/** As the picker speaks: in the reader's zone, without a zone. */
const LOCAL = 'YYYY-MM-DD HH:mm:ss'
const END_OF_DAY = '23:59:59'
const PRESETS = [30, 90, 365]

interface Props {
  label: string
  /** An instant in UTC; null: no limit. */
  value: string | null
  onChange: (value: string | null) => void
  error?: string | undefined
  description?: string | undefined
}

/** The last moment of an access, in the reader's zone, or no limit. A day picked alone means until it ends. */
export function DueDateInput({ label, value, onChange, error, description }: Props) {
  const { dueDate } = useWords()
  const { language } = useLanguage()
  const hasLimit = value !== null
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <Stack gap="xs">
      <DateTimePicker
        label={label}
        description={description}
        placeholder={dueDate.noLimit}
        value={hasLimit ? dayjs(value).format(LOCAL) : null}
        onChange={(picked) => onChange(picked === null ? null : dayjs(picked).toISOString())}
        valueFormat={(picked) => format.format(dayjs(picked).toDate())}
        defaultTimeValue={END_OF_DAY}
        presets={PRESETS.map((days) => ({ value: endOfDayIn(days).format(LOCAL), label: dueDate.inDays(days) }))}
        locale={language}
        highlightToday
        error={error}
        popoverProps={{ withinPortal: true }}
        submitButtonProps={{ 'aria-label': dueDate.take }}
        timePickerProps={{
          'aria-label': dueDate.time,
          hoursInputLabel: dueDate.hours,
          minutesInputLabel: dueDate.minutes,
        }}
        ariaLabels={{
          previousMonth: dueDate.previousMonth,
          nextMonth: dueDate.nextMonth,
          previousYear: dueDate.previousYear,
          nextYear: dueDate.nextYear,
          previousDecade: dueDate.previousYears,
          nextDecade: dueDate.nextYears,
          monthLevelControl: dueDate.chooseMonth,
          yearLevelControl: dueDate.chooseYear,
        }}
      />
      <Checkbox
        label={dueDate.noLimit}
        checked={!hasLimit}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : endOfDayIn(30).toISOString())}
      />
    </Stack>
  )
}

function endOfDayIn(days: number) {
  return dayjs().add(days, 'day').endOf('day').millisecond(0)
}
