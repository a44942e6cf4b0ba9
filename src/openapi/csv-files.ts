/** Lists as files. */
import { headerRefs } from './headers.ts'
import { describeOperations } from './operation.ts'
import { accessFilters } from './product-accesses.ts'
import { userFilters } from './users.ts'

const spreadsheet =
  "If it is `true`, the file is made for Excel: it begins with a byte order mark, cells are separated by `;` if the language of the store is ES or PT, and a `'` is put before what a spreadsheet would execute as a formula. If it is omitted, cells are exactly as sent."

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

const EXPORT_USERS = {
  route: 'GET /admin/stores/{store_id}/users.csv',
  summary: 'Export users as CSV',
  description: `${FILE} It has a column for each field of the user, a column for each custom field of the store (\`custom_fields.x\`), and a column \`custom_fields\` with the values of all other fields as JSON. \`npm run import\` reads it.`,
  query: { ...userFilters, spreadsheet },
  responses: {
    200: csv(
      'UsersCsv',
      'The users.',
      'id,name,last_name,email,created_at,country,phone,external_id,language,avatar,role,updated_at,custom_fields.department,custom_fields\r\n12,Ada,Lovelace,ada@example.com,2026-11-21T09:30:00.000Z,GB,,crm-1815,EN,,student,2026-11-21T09:30:00.000Z,engines,\r\n',
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
      'id,created_at,started_at,completed_at,access_due_date,expiration_days,status,grade,concept_grade,passed,progress,certificate_url,product_id,user_id\r\n13,2026-11-21T09:30:00.000Z,,,2027-12-31T00:00:00.000Z,365,with_access,,,false,0,,4,12\r\n',
    ),
  },
}

export const csvFiles = [
  ...describeOperations('Users', { exportUsers: EXPORT_USERS }),
  ...describeOperations('Product accesses', { exportProductAccesses: EXPORT_PRODUCT_ACCESSES }),
]
