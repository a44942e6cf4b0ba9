/** One for each resource, in the order in which a reader meets them. */
export const tags = [
  {
    name: 'Users',
    description:
      'The people who learn. A user belongs to one store, and an email is unique within it. v1 and v3 show the same users.',
  },
  {
    name: 'Product accesses',
    description:
      'Who may use which product, until when, and how far they are. An access is in force while its status is `with_access` and its due date has not passed.',
  },
  {
    name: 'Bulk changes',
    description:
      'One decision about many accesses, which the service carries out by itself. Each access that matches is changed once.',
  },
  {
    name: 'Events',
    description:
      'What has happened in a store, in the order in which it was committed, without gaps. Events contain ids and what has changed, but no personal data.',
  },
  {
    name: 'Access tokens',
    description: 'The credentials of integrators. A token is valid for one store and for the scopes that it has.',
  },
  { name: 'Stores', description: 'Everything else belongs to a store. Emails and slugs are unique within it.' },
  { name: 'Custom fields', description: 'The keys that a store allows in the `custom_fields` of its users.' },
  { name: 'Products', description: 'The things that users get access to.' },
  {
    name: 'Webhook endpoints',
    description: 'The URLs to which the events of a store are posted, as https://www.standardwebhooks.com describes.',
  },
  { name: 'Webhook deliveries', description: 'What was posted to a webhook endpoint, and what is pending.' },
  {
    name: 'Operators',
    description:
      'The people who run the service, under `/admin`: the root, whose token is the secret `ADMIN_TOKEN`, and the operators that the root has created.',
  },
  { name: 'Service', description: 'Whether the service works.' },
  { name: 'Webhooks', description: 'The requests that webhook endpoints receive, by type of event.' },
] as const

export type Tag = (typeof tags)[number]['name']

/** How the reference's sidebar groups the tags. Webhooks are next to the events that they carry. */
export const tagGroups = [
  { name: 'People', tags: ['Users', 'Product accesses', 'Bulk changes'] },
  { name: 'What happens', tags: ['Events', 'Webhooks', 'Webhook endpoints', 'Webhook deliveries'] },
  { name: 'A store', tags: ['Stores', 'Access tokens', 'Custom fields', 'Products'] },
  { name: 'The service', tags: ['Operators', 'Service'] },
] as const satisfies { name: string; tags: readonly Tag[] }[]
