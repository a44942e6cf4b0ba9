/** Days on which accesses end, in the time zone of the store. */
import { addDays, addMonths, dayAt, endOfDay } from '../../../../src/calendar.ts'

/** The end of the day that many days from today, as a time in UTC. */
export function endOfDayIn(days: number, zone: string): string {
  return endOf(addDays(dayAt(Date.now(), zone), days), zone)
}

export function endOfDayInMonths(months: number, zone: string): string {
  return endOf(addMonths(dayAt(Date.now(), zone), months), zone)
}

/** The ends of this month and of those after it. */
export function endsOfMonths(count: number, zone: string): string[] {
  const first = dayAt(Date.now(), zone).replace(/\d\d$/, '01')
  return Array.from({ length: count }, (_, i) => endOf(addDays(addMonths(first, i + 1), -1), zone))
}

function endOf(day: string, zone: string): string {
  return new Date(endOfDay(day, zone)).toISOString()
}
