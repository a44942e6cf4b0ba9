/** Lists as files. */
import { csvLine } from './csv.ts'
import { USER_COLUMNS } from '../users/csv-columns.ts'
import { ACCESS_COLUMNS } from '../accesses/csv-columns.ts'
import { TIME } from '../../openapi/fields.ts'
import { headerRefs } from '../../openapi/headers.ts'
import { describeOperations } from '../../openapi/operation.ts'
import { accessFilters } from '../accesses/docs.ts'
import { userFilters } from '../users/docs.ts'

const spreadsheet =
  "If it is `true`, the file is made for Excel: it begins with a byte order mark, cells are separated by `;` if the language of the store is ES or PT, and a `'` is put before what a spreadsheet would execute as a formula. Times are local times of the store, to the second, and an `access_due_date` that ends with a day is that day alone. If it is omitted, cells are exactly as sent, and times are instants in UTC."

const FILE =
  'RFC 4180, with a header row. The file is streamed, so a million lines need no more memory than a thousand. If reading fails midway, the connection is closed, so that a partial file is never taken for a complete one.'

function csv(id: string, description: string, example: string) {
  return {
    id,
    description,
    headers: headerRefs(),
    content: { 'text/csv': { schema: { type: 'string' as const }, example } },
  }
}

/** The first lines of a file. */
function firstLines(columns: readonly string[], record: Readonly<Record<string, string>>): string {
  return csvLine([...columns]) + csvLine(columns.map((name) => record[name]))
}

const EXPORT_USERS = {
  route: 'GET /admin/stores/{store_id}/users.csv',
  summary: 'Export users as CSV',
  description: `${FILE} It has a column for each field of the user, a column for each custom field of the store (\`custom_fields.x\`), and a column \`custom_fields\` with the values of all other fields as JSON. \`npm run import\` reads it.`,
  query: { ...userFilters, spreadsheet },
  responses: {
    200: csv(
      'UsersCsv',
      'The users.',
      firstLines([...USER_COLUMNS, 'custom_fields.department', 'custom_fields'], {
        id: '12',
        name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.com',
        created_at: TIME,
        country: 'GB',
        external_id: 'crm-1815',
        language: 'EN',
        role: 'student',
        updated_at: TIME,
        'custom_fields.department': 'engines',
      }),
    ),
  },
}

const EXPORT_PRODUCT_ACCESSES = {
  route: 'GET /admin/stores/{store_id}/product_accesses.csv',
  summary: 'Export accesses as CSV',
  description: `${FILE} It has a column for each field of the access, and \`product_id\` and \`user_id\`. With \`spreadsheet=true\` it also has \`product_slug\`, \`user_email\` and \`user_name\` (first and last name).`,
  query: { ...accessFilters, spreadsheet },
  responses: {
    200: csv(
      'ProductAccessesCsv',
      'The accesses.',
      firstLines(ACCESS_COLUMNS, {
        id: '13',
        created_at: TIME,
        access_due_date: '2027-12-31T00:00:00.000Z',
        expiration_days: '365',
        status: 'with_access',
        passed: 'false',
        progress: '0',
        product_id: '4',
        user_id: '12',
      }),
    ),
  },
}

export const csvFiles = [
  ...describeOperations('Users', { exportUsers: EXPORT_USERS }),
  ...describeOperations('Product accesses', { exportProductAccesses: EXPORT_PRODUCT_ACCESSES }),
]
