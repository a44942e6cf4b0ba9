/** The files of drizzle/ in their order. `npm run db:generate` writes it. */
import text0 from '../../drizzle/0000_initial.sql'
import text1 from '../../drizzle/0001_time_zones.sql'

export const MIGRATIONS = [
  { name: '0000_initial.sql', text: text0 },
  { name: '0001_time_zones.sql', text: text1 },
] as const
