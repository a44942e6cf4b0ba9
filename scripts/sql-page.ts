/** docs/sql.md: the statements of a create and of an update, as the use cases send them. */
import { declaredStatements } from './declared-statements.ts'
import { openDb } from '../src/db/batch.ts'
import type { Database } from '../src/db/database.ts'
import type { RequestContext } from '../src/change/request.ts'
import { updateProductAccess } from '../src/modules/accesses/update-access.ts'
import { createUser } from '../src/modules/users/create-user.ts'
import { printSql } from './print-sql.ts'

interface Step {
  name: string
  /** How the statement begins, so that a step that is moved does not get the sentence of another one. */
  begins: string
  does: string
}

const CREATE: Step[] = [
  {
    name: 'event',
    begins: 'insert into events',
    does: 'Inserts the event `user.created`, unless a rule rejects the request. Its id is the id of the new user. The rules are the conditions at the end.',
  },
  {
    name: 'user',
    begins: 'insert into users',
    does: 'Inserts the user, if this attempt has inserted the event.',
  },
  {
    name: 'claim',
    begins: 'insert into idempotency_keys',
    does: 'Stores which user the idempotency key stands for, if this attempt has inserted the event. An expired claim of the same key is replaced.',
  },
  {
    name: 'result',
    begins: 'select',
    does: 'Selects the outcome, which is that of the first rule that holds, what its error needs, the webhook endpoints to wake, and the user.',
  },
]

const UPDATE: Step[] = [
  {
    name: 'event',
    begins: 'insert into events',
    does: 'Inserts the event `product_access.updated` with the values before and after, unless a rule rejects the request or nothing would change.',
  },
  {
    name: 'access',
    begins: 'update product_accesses',
    does: 'Updates the access that the event is about, if this attempt has inserted the event.',
  },
  {
    name: 'result',
    begins: 'select',
    does: 'Selects the outcome, the webhook endpoints to wake, and the access with its product and its user.',
  },
]

const CONTEXT: RequestContext = {
  caller: { id: 2 ** 32 + 3, hash: '' },
  requiredScopes: ['users:write'],
  store_slug: 'demo',
  request_id: '',
  now: 0,
  endpointsToWake: new Set(),
  firstUses: new Set(),
}

const USER = { name: '', last_name: '', email: 'ada@example.com' }
const KEY = {
  operation: 'v1.users.create',
  key: '',
  fingerprint: '',
  previous_key: null,
  previous_fingerprint: null,
} as const

class Recorded extends Error {}

/** The texts of the statements that a use case sends. No database gets them. */
async function record(useCase: (db: ReturnType<typeof openDb>) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const recorder: Database = {
    name: 'd1',
    holds: () => true,
    batch(statements) {
      texts.push(...statements.map(({ text }) => text))
      return Promise.reject(new Recorded())
    },
  }
  await useCase(openDb(recorder)).catch((error: unknown) => {
    if (!(error instanceof Recorded)) throw error
  })
  return texts
}

function describeSteps(steps: Step[], texts: string[]): string {
  if (texts.length !== steps.length) throw new Error(`${texts.length} statements, ${steps.length} are described`)
  return steps
    .map(({ name, begins, does }, index) => {
      const text = texts[index] ?? ''
      if (!text.startsWith(begins)) throw new Error(`the step ${name} does not begin with ${begins}: ${text}`)
      return `**${name}** (${text.length.toLocaleString('en')} characters). ${does}\n\n\`\`\`sql\n${printSql(withNames(text))}\n\`\`\``
    })
    .join('\n\n')
}

/** `:now` instead of `?1`. */
function withNames(text: string): string {
  const names = declaredStatements.map(({ compiled }) => compiled()).find((compiled) => compiled.text === text)?.names
  if (names === undefined) throw new Error(`the service was loaded before declared-statements.ts: ${text}`)
  return text.replaceAll(/\?(\d+)/g, (_sign, index: string) => `:${names[Number(index) - 1]}`)
}

const sizeOf = (texts: string[]) => texts.join('').length.toLocaleString('en')

export async function sqlPage(): Promise<string> {
  const create = await record((db) =>
    createUser(db, CONTEXT, { user: USER, key: KEY, builtInFields: [], hashPassword: undefined }),
  )
  const update = await record((db) =>
    updateProductAccess(
      db,
      { ...CONTEXT, requiredScopes: ['product_accesses:write'] },
      { number: 1, status: 'with_access' },
    ),
  )
  return `# The SQL of a create and of an update

This page is generated from the service: \`npm run generate\` writes it, and \`npm run check:generated\` fails if it is not up to date. For reading, it has line breaks, and the names of the parameters where the text that D1 gets has \`?1\`, \`?2\` and so on. [The event decides](engineers/the-event-decides.md) explains why the statements look like this.

Each request below sends its statements as one batch, which D1 runs as one transaction.

- A create of a user with an idempotency key has ${sizeOf(create)} characters of SQL.
- An update of an access has ${sizeOf(update)} characters of SQL.

## Create a user, with an idempotency key

\`src/modules/users/create-user.ts\`, by \`creationOf\` of \`src/change/create-record.ts\`

${describeSteps(CREATE, create)}

## Update an access

\`src/modules/accesses/update-access.ts\`, by \`updateOf\` of \`src/change/update-record.ts\`

${describeSteps(UPDATE, update)}
`
}
