/** One for each resource, in the order in which a reader meets them. */
export const tags = [
  {
    name: 'Users',
    description:
      'The people who learn. A user belongs to one store, where no other has the same e-mail; v1 and v3 show the same users.',
  },
  {
    name: 'Product accesses',
    description:
      'Who may use which product, until when, and how far they are. An access is in force while its status is `with_access` and its due date has not passed.',
  },
  {
    name: 'Events',
    description:
      'What happened in a store, in the order in which it was committed, without a gap. They hold ids and what changed, and nothing that a person wrote about themselves.',
  },
  {
    name: 'Access tokens',
    description: 'What an integrator calls with: a token is good for one store and what its scopes name.',
  },
  { name: 'Stores', description: 'What everything else belongs to, and where e-mails and slugs are unique.' },
  { name: 'Custom fields', description: 'The keys that a store allows in the `custom_fields` of its users.' },
  { name: 'Products', description: 'What users are given access to.' },
  {
    name: 'Webhook endpoints',
    description: 'URLs to which the events of a store are posted, as https://www.standardwebhooks.com describes it.',
  },
  { name: 'Webhook deliveries', description: 'What was posted to a webhook endpoint, and what waits to be.' },
  {
    name: 'Operators',
    description:
      'Who runs the service, under `/admin`: the root, whose token is the secret `ADMIN_TOKEN`, and those whom the root has made.',
  },
  { name: 'Service', description: 'Whether the service works.' },
  { name: 'Webhooks', description: 'What is posted to webhook endpoints, by the type of the event.' },
] as const

export type Tag = (typeof tags)[number]['name']

/** How the reference's sidebar groups them: webhooks beside the events that they carry. */
export const tagGroups = [
  { name: 'People', tags: ['Users', 'Product accesses'] },
  { name: 'What happens', tags: ['Events', 'Webhooks', 'Webhook endpoints', 'Webhook deliveries'] },
  { name: 'A store', tags: ['Stores', 'Access tokens', 'Custom fields', 'Products'] },
  { name: 'The service', tags: ['Operators', 'Service'] },
] as const satisfies { name: string; tags: readonly Tag[] }[]
