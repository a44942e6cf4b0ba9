/** What the service and the forms reject, in English: by the codes of the API (src/error-codes.ts) and by field. */
import type { ErrorCode } from '../../../../../src/error-codes.ts'

/** Codes of the console itself: no response, a sign-in that has ended, and responses that are not the API's. */
export type ConsoleCode =
  | 'no_response'
  | 'access_ended'
  | 'unreadable'
  | 'edge_challenge'
  | 'edge_blocked'
  | 'edge_rate_limited'
  | 'edge_quota'

const atMost = (n: number) => `Use at most ${n.toLocaleString('en')} characters.`

const codes: Record<ErrorCode | ConsoleCode, string> = {
  missing_parameter: 'A required field is empty.',
  malformed_body: 'The service could not read the request.',
  invalid_header: 'The service could not read the request.',
  missing_token: 'You are not signed in.',
  invalid_token: 'The service no longer accepts your sign-in.',
  https_required: 'The service can only be reached over https.',
  store_suspended: 'The store is suspended.',
  insufficient_scope: 'Your role or your stores do not allow this.',
  cross_site: 'The browser sent this change from another site, so the service rejected it.',
  not_found: 'It no longer exists, or you have no access to it.',
  route_not_found: 'This address does not exist in the service.',
  method_not_allowed: 'The service does not offer this here.',
  cursor_expired: 'These events are no longer kept.',
  etag_mismatch: 'Someone else has changed this in the meantime. Check the current values, then try again.',
  payload_too_large: 'This is too much for one request.',
  unsupported_media_type: 'The service could not read the request.',
  invalid_parameter: 'A value is not valid.',
  email_taken: 'There is already a user with this email in the store.',
  idempotency_key_reused: 'This form has already been sent with other values. Close it and open it again.',
  access_exists: 'The user already has access to this product.',
  already_exists: 'This is already taken.',
  in_use: 'It cannot be deleted: users have access to it.',
  limit_reached:
    'There are already as many as there may be: 16 webhooks of a store, and 20 bulk changes that have not ended. Delete or cancel one first.',
  not_running: 'The bulk change has already ended.',
  not_done: 'The bulk change cannot be reverted: it has not ended, was reverted already, or is too long ago.',
  rate_limited: 'There are too many requests at the moment.',
  internal_error:
    'The service failed. Nothing is wrong with what you entered. If it happens again, report the request ID.',
  service_unavailable: 'The service is not available at the moment.',
  no_response:
    'There was no response: the service may be down, or the connection was lost. If you were saving a change, check whether it was saved before you try again.',
  access_ended: 'Your sign-in has ended. Nothing was saved: sign in again.',
  edge_challenge:
    'Cloudflare wants to check that a person sends this, so the request has not reached the service. Load the page again. If that does not help, whoever runs the service must exempt its paths from the check.',
  edge_blocked:
    'Cloudflare has rejected the request before it reached the service: a rule of the firewall blocks it. Report the CF-Ray to whoever runs the service.',
  edge_rate_limited:
    'Cloudflare has rejected the request before it reached the service: there are too many at the moment.',
  edge_quota:
    'Cloudflare has rejected the request: the requests of the service’s plan are used up for today. They begin again at midnight UTC.',
  unreadable: 'The response could not be read. A program between your browser and the service may have changed it.',
}

export const errors = {
  codes,
  required: 'Fill in this field.',
  noSuchChoice: (text: string) => `Nothing in the list is called “${text}”. Choose from the list, or clear the field.`,
  otherField: 'This value is not valid.',
  /** What `already_exists` means for a field. */
  taken: {
    id: 'There is already a store with this ID.',
    slug: 'There is already a product with this slug.',
    email: 'There is already an operator with this email.',
  },
  atMost,
  fields: {
    email: 'Enter an email address, such as ana@example.com.',
    country: 'Choose a country; in a file, its name or its two letters, such as ES.',
    language: 'Choose Spanish (ES), Portuguese (PT) or English (EN).',
    password: 'Use at most 1,024 characters, and not only spaces.',
    custom_fields: 'There are too many custom fields, or they are too long in total.',
    custom_field: 'The store has no such custom field, or the value has more than 1,000 characters.',
    id: 'Use 1 to 64 lowercase letters, digits, - and _. It begins with a letter or digit.',
    slug: 'Use 1 to 64 lowercase letters, digits, - and _. It begins with a letter or digit.',
    key: 'Use 1 to 64 letters, digits, _, - and periods.',
    label: atMost(255),
    type: atMost(255),
    product: 'The store has no such product.',
    product_id: 'Choose a product of the store.',
    product_accesses: 'Name at most 10 products.',
    user_id: 'Choose a user of the store.',
    user_ids: 'Choose 1 to 1,000 users of the store.',
    status: 'Choose whether the access is open or closed; in a file, “In force” or “Closed”.',
    access_due_date: 'Enter a date and time with its time zone, such as 2027-12-31T23:59:59Z.',
    due_after: 'Enter a date and time.',
    due_before: 'Enter a date and time.',
    in_force: 'Choose yes or no.',
    extend_days: 'Enter a whole number from 1 to 3,650.',
    change: 'Choose what to change.',
    filter: 'This filter is not valid.',
    dry_run: 'Choose yes or no.',
    on_existing: 'Choose fail, skip or update.',
    started_at: 'Enter a date and time.',
    completed_at: 'Enter a date and time.',
    progress: 'Enter a number from 0 to 100.',
    grade: atMost(255),
    concept_grade: atMost(255),
    passed: 'Choose yes or no.',
    certificate_url: 'Enter an address that begins with https:// or http://.',
    expiration_days: 'Enter a whole number from 1 to 36,500, or leave it empty.',
    expiry_notice_days: 'Enter a whole number from 0 to 90.',
    time_zone: 'Choose a time zone from the list, such as Europe/Lisbon.',
    extend_months: 'Enter a whole number from 1 to 120.',
    months: 'Enter a whole number from 1 to 120.',
    never_shorten: 'Choose yes or no.',
    value: 'Enter the value that the field has.',
    suspended: 'Choose yes or no.',
    place: 'Choose where the data of the store is kept.',
    jurisdiction: 'A jurisdiction needs a database of its own for the store.',
    location: 'This location does not fit the place or the jurisdiction.',
    scopes: 'Choose at least one scope.',
    expires_at: 'Choose a time in the future.',
    overlap_hours:
      'Enter a whole number from 0 to 168. At most four secrets are valid at once: with 0, all older ones end.',
    role: 'Choose a role.',
    stores: 'Choose 1 to 100 stores that exist.',
    url: 'Enter a public address that begins with https://, without a user name or password in it.',
    types: 'Choose at least one event.',
    items: 'A batch has 1 to 100 items, at most 10 of them with a password.',
    q: 'Search for at most 5 words and 100 characters.',
    after: 'This page no longer exists. Go back to the first page.',
    ids: 'Choose 1 to 100 records.',
    days: 'Choose 1 to 90 days.',
  },
}
