/** Every word of the console, in English. What the API says in its errors is shown as it says it. */
import { plural } from './plural.ts'

const one = (n: number, singular: string, several: string) =>
  `${n.toLocaleString('en')} ${plural('en', n) === 'one' ? singular : several}`

export const en = {
  product: 'Registrar',
  console: 'Registrar console',

  common: {
    cancel: 'Cancel',
    close: 'Close',
    save: 'Save',
    create: 'Create',
    edit: 'Edit',
    delete: 'Delete',
    clear: 'Clear',
    add: 'Add',
    remove: 'Remove',
    copy: 'Copy',
    copied: 'Copied',
    tryAgain: 'Try again',
    reload: 'Load what is there now',
    previousPage: 'Previous page',
    nextPage: 'Next page',
    page: (n: number) => `Page ${n}`,
    loading: 'Loading',
    all: 'All',
    none: 'None',
    never: 'Never',
    yes: 'Yes',
    no: 'No',
    saved: 'Saved.',
    actions: 'Actions',
    id: 'Id',
    name: 'Name',
    created: 'Created',
    updated: 'Updated',
    nothingFits: 'Nothing fits these filters.',
    clearFilters: 'Clear the filters',
    utc: (time: string) => `${time} UTC`,
    openMenu: 'Open the menu',
    skipToContent: 'Skip to the content',
  },

  failure: {
    title: 'That did not work',
    requestId: 'Request id',
    copyRequestId: 'Copy the request id',
    noAnswer:
      'No answer came. The service may be down, or the connection lost; what was sent may have been done all the same.',
    retryAfter: (seconds: number) => `It may be tried again in ${one(seconds, 'second', 'seconds')}.`,
    conflict: 'Somebody else has changed this in the meantime.',
    notFound: 'This is not there, or no longer.',
    viewer: 'You are signed in as a viewer, who may see everything and change nothing.',
  },

  signIn: {
    title: 'Sign in',
    token: 'Operator token',
    tokenHint:
      'A token that begins with rgo_, or the secret ADMIN_TOKEN. It is kept in this tab alone and forgotten when the tab is closed.',
    submit: 'Sign in',
    refused: 'The service does not take this token.',
    noOperators: 'This service has no operator API: ADMIN_TOKEN is not set.',
    signedOut: 'The service no longer takes the token. Sign in again.',
  },

  nav: {
    main: 'Main menu',
    store: 'Store',
    chooseStore: 'Choose a store',
    overview: 'Overview',
    users: 'Users',
    accesses: 'Accesses',
    import: 'Import',
    export: 'Export',
    products: 'Products',
    customFields: 'Custom fields',
    tokens: 'Tokens',
    webhooks: 'Webhooks',
    events: 'Events',
    settings: 'Settings',
    stores: 'Stores',
    operators: 'Operators',
    reference: 'API reference',
    language: 'Language',
    theme: 'Appearance',
    light: 'Light',
    dark: 'Dark',
    system: 'As the system',
    account: 'Account, language and appearance',
    signOut: 'Sign out',
    signedInAs: (name: string, role: string) => `${name} · ${role}`,
  },

  roles: { root: 'root', admin: 'admin', viewer: 'viewer' },

  statuses: { with_access: 'With access', without_access: 'Without access' },

  /** What happened, as an event's type names it. */
  eventTypes: {
    'user.created': 'User created',
    'user.updated': 'User changed',
    'user.erased': 'User erased',
    'product_access.granted': 'Access granted',
    'product_access.updated': 'Access changed',
    'product_access.progressed': 'Progress recorded',
    'product_access.expiring': 'Access about to expire',
    'product_access.expired': 'Access expired',
    'access_token.created': 'Token issued',
    'access_token.updated': 'Token changed',
    'access_token.rotated': 'Token rotated',
    'access_token.revoked': 'Token revoked',
    'store.created': 'Store created',
    'store.updated': 'Store changed',
    'store.restored': 'Database restored',
    'product.created': 'Product created',
    'product.updated': 'Product changed',
    'product.deleted': 'Product deleted',
    'custom_field.created': 'Custom field defined',
    'custom_field.updated': 'Custom field changed',
    'custom_field.deleted': 'Custom field deleted',
    'webhook_endpoint.created': 'Webhook created',
    'webhook_endpoint.updated': 'Webhook changed',
    'webhook_endpoint.deleted': 'Webhook deleted',
    'webhook_endpoint.disabled': 'Webhook disabled',
    'webhook_endpoint.enabled': 'Webhook enabled',
    'operator.created': 'Operator added',
    'operator.revoked': 'Operator revoked',
  },
  system: 'the service',

  overview: {
    title: 'Overview',
    version: 'Version',
    database: 'Database',
    databaseUse: (used: string, limit: string, share: string) => `${used} of ${limit} (${share})`,
    webhooks: 'Webhooks',
    nothingWaits: 'Nothing waits',
    waiting: (n: number) => one(n, 'delivery waits', 'deliveries wait'),
    waitingSince: 'the oldest since',
    failing: (n: number) => one(n, 'endpoint fails', 'endpoints fail'),
    disabled: (n: number) => one(n, 'endpoint is disabled', 'endpoints are disabled'),
    stores: 'Stores',
    storeCount: (total: number, suspended: number) =>
      suspended === 0
        ? one(total, 'store', 'stores')
        : `${one(total, 'store', 'stores')}, ${suspended.toLocaleString('en')} suspended`,
    days: (n: number) => `${n} days`,
    period: 'Period',
    usersCreated: 'Users created',
    accessesGranted: 'Accesses granted',
    accessesUpdated: 'Accesses changed',
    accessesExpired: 'Accesses expired',
    perDay: 'per day, in UTC',
    chart: (what: string, total: string, days: number) => `${what}: ${total} in ${days} days`,
    incomplete: 'Part of this period is not counted: the history that is kept begins later, or was too long to count.',
    nothingYet: 'Nothing has happened here yet. Create or import users, and it shows here.',
  },

  stores: {
    title: 'Stores',
    none: 'There is no store yet. A store holds users, products and accesses, apart from every other store.',
    createFirst: 'Create the first store',
  },

  settings: {
    title: 'Settings',
  },

  users: {
    title: 'Users',
  },

  user: {
    title: 'User',
  },

  timeline: {
    title: 'Timeline',
  },

  accesses: {
    title: 'Accesses',
  },

  import: {
    title: 'Import',
  },

  export: {
    title: 'Export',
  },

  products: {
    title: 'Products',
  },

  customFields: {
    title: 'Custom fields',
  },

  tokens: {
    title: 'Tokens',
  },

  webhooks: {
    title: 'Webhooks',
  },

  events: {
    title: 'Events',
  },

  operators: {
    title: 'Operators',
  },
}
