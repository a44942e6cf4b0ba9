import { MIN_RETENTION_DAYS } from '../../limits.ts'

/** The number of days for which events are kept; undefined if the setting is invalid. */
export function retentionDays(setting: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(setting) && Number(setting) >= MIN_RETENTION_DAYS ? Number(setting) : undefined
}
