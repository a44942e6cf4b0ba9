/** The statuses of an access. This imports nothing, so that the console can read it. */
export const ACCESS_STATUSES = ['with_access', 'without_access'] as const

export type AccessStatus = (typeof ACCESS_STATUSES)[number]

/** The one status with which an access is in force until its due date. Only such accesses expire. */
export const OPEN_STATUS: AccessStatus = 'with_access'
