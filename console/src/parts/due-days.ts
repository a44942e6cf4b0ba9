import dayjs from 'dayjs'

/** Returns the end of the day in the operator's time zone, as a time in UTC. */
export function endOfDayIn(days: number): string {
  return endOf(dayjs().add(days, 'day').endOf('day'))
}

/** In whole seconds, which the calendar shows. */
export function endOf(day: dayjs.Dayjs): string {
  return day.millisecond(0).toISOString()
}
