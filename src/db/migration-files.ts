/** The files of drizzle/ in their order. `npm run db:generate` writes it. */
import text0 from '../../drizzle/0000_initial.sql'

export const MIGRATIONS = [
  { name: '0000_initial.sql', text: text0 },
] as const
