import '@mantine/dates/styles.css'
import { DateTimePicker } from '@mantine/dates'
import dayjs from 'dayjs'
import { useId } from 'react'
import { type Language, useLanguage, useWords } from '../words/index.tsx'

/** As the picker speaks: in the reader's zone, without naming it. */
const LOCAL = 'YYYY-MM-DD HH:mm:ss'

/** The weekend's red is too pale to be read by everybody. */
const NO_DAYS: [] = []

/** Each language's names of months, as dayjs calls the language, and the day a week begins with. */
const CALENDARS = {
  en: { locale: 'en', firstDayOfWeek: 1 },
  es: { locale: 'es', firstDayOfWeek: 1 },
  pt: { locale: 'pt-br', firstDayOfWeek: 0 },
} as const satisfies Record<Language, object>

interface Props {
  label: string
  /** An instant in UTC; null: none. */
  value: string | null
  onChange: (value: string | null) => void
  /** Shown where there is no value. */
  placeholder: string
  error?: string | undefined
  description?: string | undefined
  isClearable?: boolean
  /** The time of a day that is picked where nothing was before; as it is now when left out. */
  timeOfDay?: string
}

/** A date and time in the reader's zone. */
export function MomentInput({ value, onChange, isClearable = false, timeOfDay, ...props }: Props) {
  const { moments } = useWords()
  const { language } = useLanguage()
  const id = useId()
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <DateTimePicker
      {...props}
      // The calendar is a dialog, which the input's label names.
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
      submitButtonProps={{ 'aria-label': moments.take }}
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
