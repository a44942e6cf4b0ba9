/** Lists as files. */
import { exportProductAccessesQuery, exportUsersQuery } from '../admin/csv-files.ts'
import { headerRefs } from './headers.ts'
import { type Operation, operatorOperation } from './operation.ts'
import { accessFilters } from './product-accesses.ts'
import { queryOf } from './requests.ts'
import { userFilters } from './users.ts'

const spreadsheet =
  "`true`: a cell that a spreadsheet would run as a formula gets a leading `'`. Left out: exactly what was sent."

const FILE =
  'RFC 4180, with a header row. Written as it is read, so that a million lines need no more memory than a thousand; where it fails on the way the connection is cut, so that a part never looks like the whole.'

function csv(id: string, description: string, example: string) {
  return {
    id,
    description,
    headers: headerRefs(),
    content: { 'text/csv': { schema: { type: 'string' as const }, example } },
  }
}

export const csvFiles: Operation[] = [
  operatorOperation({
    method: 'get',
    path: '/admin/stores/{store_id}/users.csv',
    id: 'exportUsers',
    tag: 'Users',
    summary: 'Export users as CSV',
    description: `${FILE} A column for each field of the user, one for each custom field that is defined (\`custom_fields.x\`), and \`custom_fields\`, as JSON, for values of others. \`npm run import\` reads it.`,
    query: queryOf('exportUsers', exportUsersQuery, { ...userFilters, spreadsheet }),
    answers: {
      200: csv(
        'UsersCsv',
        'The users.',
        'id,name,last_name,email,created_at,country,phone,external_id,language,avatar,role,updated_at,custom_fields.department,custom_fields\r\n12,Ada,Lovelace,ada@example.com,2026-11-21T09:30:00.000Z,GB,,crm-1815,EN,,student,2026-11-21T09:30:00.000Z,engines,\r\n',
      ),
    },
  }),
  operatorOperation({
    method: 'get',
    path: '/admin/stores/{store_id}/product_accesses.csv',
    id: 'exportProductAccesses',
    tag: 'Product accesses',
    summary: 'Export accesses as CSV',
    description: `${FILE} A column for each field of the access, and \`product_id\` and \`user_id\`.`,
    query: queryOf('exportProductAccesses', exportProductAccessesQuery, { ...accessFilters, spreadsheet }),
    answers: {
      200: csv(
        'ProductAccessesCsv',
        'The accesses.',
        'id,created_at,started_at,completed_at,access_due_date,expiration_days,status,grade,concept_grade,passed,progress,certificate_url,product_id,user_id\r\n13,2026-11-21T09:30:00.000Z,,,2027-12-31T00:00:00.000Z,365,with_access,,,false,0,,4,12\r\n',
      ),
    },
  }),
]
