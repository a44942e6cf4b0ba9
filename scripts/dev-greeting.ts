import type { Demo } from './demo.ts'
import { VARS } from './local-secrets.ts'

/** The README shows these lines and commands: `npm run smoke` fails if they differ. */
export function printGreeting(origin: string, adminToken: string, { store_id, token, access_id }: Demo): void {
  const headers = `-H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json'`
  console.log(`
Registrar is ready: ${origin}
The console:        ${origin}/console#token=${encodeURIComponent(adminToken)} (this link signs you in)
The reference:      ${origin}/docs

Create a user in the store "${store_id}" (v1):

curl -i ${origin}/v1/stores/${store_id}/users \\
  ${headers} -H 'X-Idempotency-Key: order-1001' \\
  -d '{"name":"Ada","last_name":"Lovelace","email":"ada@example.com","country":"GB"}'

Create a user, public form (v3):

curl -i ${origin}/v3/public/users \\
  ${headers} \\
  -d '{"name":"Grace","last_name":"Hopper","email":"grace@example.com","phone":"+1 202 555 0100","avatar":"","country":"US","language":"EN","password":"correct horse battery","external_id":"crm-1906","custom_fields":{"field1":"compilers"}}'

Set the end of an access:

curl -i -X PUT ${origin}/v1/stores/${store_id}/product_accesses/${access_id} \\
  ${headers} \\
  -d '{"access_due_date":"2027-12-31T00:00:00Z"}'

The operator's token for /admin is in ${VARS}. A line for each request follows; Ctrl-C stops.
`)
}
