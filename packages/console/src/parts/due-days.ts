import dayjs from 'dayjs'

/** Returns the end of the day in the operator's time zone, as a time in UTC. */
export function endOfDayIn(days: number): string {
  return endOf(dayjs().add(days, 'day'))
}

/** The last millisecond of a day, as in an import. It is found from the next day, as 23:59:59 can come twice. */
export function endOf(day: dayjs.Dayjs): string {
  return new Date(new Date(day.year(), day.month(), day.date() + 1).getTime() - 1).toISOString()
}

/** The calendar works in whole seconds, and gives a day the time 23:59:59. That last second counts to its end. */
export function toDueDate(picked: string | null): string | null {
  if (picked === null) return null
  const end = endOf(dayjs(picked))
  return Date.parse(end) - Date.parse(picked) < 1000 ? end : picked
}
