import '@mantine/dates/styles.css'
import { DateTimePicker } from '@mantine/dates'
import dayjs from 'dayjs'
import { useId } from 'react'
import { type Language, useLanguage, useWords } from '../words/index.tsx'

/** The picker uses times in the operator's time zone in this format, without naming the zone. */
const LOCAL = 'YYYY-MM-DD HH:mm:ss'

/** The picker shows weekend days in a red that has too little contrast, so no day is marked as one. */
const NO_DAYS: [] = []

/** dayjs has its own names for the languages. Without the right one, the picker shows English names of months. */
const CALENDARS = {
  en: { locale: 'en', firstDayOfWeek: 1 },
  es: { locale: 'es', firstDayOfWeek: 1 },
  'pt-BR': { locale: 'pt-br', firstDayOfWeek: 0 },
  'pt-PT': { locale: 'pt', firstDayOfWeek: 1 },
} as const satisfies Record<Language, object>

interface Props {
  label: string
  /** A time in UTC; null means no value. */
  value: string | null
  onChange: (value: string | null) => void
  placeholder: string
  error?: string | undefined
  description?: string | undefined
  isClearable?: boolean
  /** The time of day for a date that is picked while there is no value. The default is the current time. */
  timeOfDay?: string
}

/** An input for a date and time in the operator's time zone. */
export function MomentInput({ value, onChange, isClearable = false, timeOfDay, ...props }: Props) {
  const { moments } = useWords()
  const { language } = useLanguage()
  const id = useId()
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <DateTimePicker
      {...props}
      // The calendar is a dialog and needs a name; it takes the label of the input.
      id={id}
      popoverProps={{ id }}
      value={value === null ? null : dayjs(value).format(LOCAL)}
      onChange={(picked) => onChange(picked === null ? null : dayjs(picked).toISOString())}
      valueFormat={(picked) => format.format(dayjs(picked).toDate())}
      {...(timeOfDay !== undefined && value === null && { defaultTimeValue: timeOfDay })}
      {...CALENDARS[language]}
      highlightToday
      weekendDays={NO_DAYS}
      clearable={isClearable}
      clearButtonProps={{ 'aria-label': moments.clear }}
      submitButtonProps={{ 'aria-label': moments.confirm }}
      timePickerProps={{
        'aria-label': moments.time,
        hoursInputLabel: moments.hours,
        minutesInputLabel: moments.minutes,
      }}
      ariaLabels={{
        previousMonth: moments.previousMonth,
        nextMonth: moments.nextMonth,
        previousYear: moments.previousYear,
        nextYear: moments.nextYear,
        previousDecade: moments.previousYears,
        nextDecade: moments.nextYears,
      }}
    />
  )
}
