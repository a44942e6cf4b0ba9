import '@mantine/dates/styles.css'
import { Group, TextInput } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import { useState } from 'react'
import { dayAt, endOfDay, instantAt, wallTimeAt, withinYears } from '../../../../src/calendar.ts'
import { dayFromText } from '../forms/day-text.ts'
import { type Language, useLanguage, useWords } from '../words/index.tsx'
import { useZone } from '../zone.tsx'
import { UNMATCHED } from './search-select.tsx'

/** The picker shows weekend days in a red that has too little contrast, so no day is marked as one. */
const NO_DAYS: [] = []

/** dayjs has its own names for the languages. Without the right one, the picker shows English names of months. */
const CALENDARS = {
  en: { locale: 'en', firstDayOfWeek: 1 },
  es: { locale: 'es', firstDayOfWeek: 1 },
  'pt-BR': { locale: 'pt-br', firstDayOfWeek: 0 },
  'pt-PT': { locale: 'pt', firstDayOfWeek: 1 },
} as const satisfies Record<Language, object>

interface DayProps {
  label: string
  /** Such as 2027-01-31; null means no value. */
  value: string | null
  onChange: (day: string | null) => void
  placeholder?: string
  error?: string | undefined
  description?: string | undefined
  isClearable?: boolean
  size?: 'xs' | 'sm'
}

/**
 * An input for a day, which can be typed or picked. A day has no time zone, so no change of clocks can move it. A text
 * that is no day stays, as an error, and the form is not sent.
 */
export function DayInput({ value, onChange, error, isClearable = false, ...props }: DayProps) {
  const { moments } = useWords()
  const { language } = useLanguage()
  const [text, setText] = useState<string>()
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const isWrong = text !== undefined && text.trim() !== '' && dayFromText(text, language) === undefined
  return (
    <DateInput
      flex="1 1 9rem"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...props}
      {...CALENDARS[language]}
      value={value}
      onChange={(day) => {
        setText(undefined)
        onChange(day)
      }}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      dateParser={(typed) => dayFromText(typed, language) ?? null}
      valueFormat={(day) => format.format(new Date(`${day}T00:00:00Z`))}
      fixOnBlur={!isWrong}
      error={isWrong ? moments.notDay : error}
      {...(isWrong && { [UNMATCHED]: true })}
      highlightToday
      weekendDays={NO_DAYS}
      clearable={isClearable}
      clearButtonProps={{ 'aria-label': moments.clear }}
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

interface MomentProps extends Omit<DayProps, 'value' | 'onChange'> {
  /** A time in UTC; null means no value. */
  value: string | null
  onChange: (value: string | null) => void
  /** True if a day without a time lasts until its end, as an access does. Otherwise it gets the present time of day. */
  isEnd?: boolean
}

/** An input for a day and a time of day in the time zone of the store, which it names. */
export function MomentInput({ value, onChange, isEnd = false, description, ...props }: MomentProps) {
  const { moments } = useWords()
  const zone = useZone()
  const at = value === null ? undefined : withinYears(Date.parse(value), zone)
  const day = at === undefined ? null : dayAt(at, zone)
  const time = at === undefined || (isEnd && isEndOfDay(at, zone)) ? '' : timeAt(at, zone)
  const change = (nextDay: string | null, nextTime: string) => {
    if (nextDay === null) return onChange(null)
    if (isEnd && nextTime === '') return onChange(new Date(endOfDay(nextDay, zone)).toISOString())
    const wallTime = Date.parse(`${nextDay}T${nextTime || timeAt(Date.now(), zone)}Z`)
    return onChange(new Date(instantAt(wallTime, zone)).toISOString())
  }
  return (
    <Group align="start" gap="xs">
      <DayInput
        {...props}
        description={description === undefined ? moments.inZone(zone) : `${description} ${moments.inZone(zone)}`}
        value={day}
        onChange={(next) => change(next, time)}
      />
      {day !== null && (
        <TextInput
          type="time"
          w="7.5rem"
          label={moments.time}
          {...(isEnd && { description: moments.endOfDay, inputWrapperOrder: ['label', 'input', 'description'] })}
          value={time.slice(0, 5)}
          onChange={({ currentTarget }) => change(day, currentTarget.value === '' ? '' : `${currentTarget.value}:00`)}
        />
      )}
    </Group>
  )
}

function isEndOfDay(at: number, zone: string): boolean {
  const rest = endOfDay(dayAt(at, zone), zone) - at
  return rest >= 0 && rest < 1000
}

/** To the second, which the input does not show: a day that is picked must not change the rest. */
function timeAt(at: number, zone: string): string {
  return new Date(wallTimeAt(at, zone)).toISOString().slice(11, 23)
}
