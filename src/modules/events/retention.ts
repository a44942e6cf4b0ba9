/** The minimum of EVENT_RETENTION_DAYS. Webhooks are retried for three days, and a client may read the feed once a week. */
export const MIN_RETENTION_DAYS = 7

/** The number of days for which events are kept; undefined if the setting is invalid. */
export function retentionDays(setting: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(setting) && Number(setting) >= MIN_RETENTION_DAYS ? Number(setting) : undefined
}
