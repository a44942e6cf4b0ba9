/** Two people who are there before an import, and a command that is killed. */
import { setTimeout } from 'node:timers/promises'
import { type Exit, waitForExit } from './command.ts'
import { type Fixture, idOf, type Request, type Stage } from './undo-service.ts'

export const HEADER = ['name', 'last_name', 'email', 'phone', 'country', 'custom_fields.team']
export const WITH_ACCESSES = [...HEADER, 'product', 'product_status', 'product_due_date']

/** Ana and Luis are there before the import, both with access to Algebra. */
export async function peopleOf(stage: Stage): Promise<Fixture & { ana: string }> {
  const fixture = await stage.fixture()
  const { api } = fixture
  const ana = await api('POST', '/users', {
    name: 'Ana',
    last_name: 'Gil',
    email: 'ana@example.com',
    phone: '600',
    custom_fields: { team: 7 },
  })
  const luis = await api('POST', '/users', { name: 'Luis', last_name: 'Sol', email: 'luis@example.com' })
  for (const user of [ana, luis])
    await api('POST', '/product_accesses', {
      user_id: idOf(user),
      slug: 'algebra',
      access_due_date: '2027-12-31T12:00:00.000Z',
    })
  return { ...fixture, ana: idOf(ana) }
}

export function isBatch({ path }: Request): boolean {
  return path.endsWith('/users/batch')
}

interface Kill {
  isRequest: (request: Request) => boolean
  /** Which of these requests it is. */
  nth?: number
  /** Whether the service carries it out all the same. */
  isCarriedOut: boolean
}

/** Kills a command at one of its requests. Resolves once the service has carried that out. */
export async function killAt(
  stage: Stage,
  fixture: Fixture,
  args: string[],
  { isRequest, nth = 1, isCarriedOut }: Kill,
): Promise<Exit & { isKilled: boolean }> {
  const child = fixture.start(args)
  const exit = waitForExit(child)
  let [count, isKilled] = [0, false]
  stage.setHook(async (request) => {
    if (isKilled || !isRequest(request) || ++count < nth) return undefined
    isKilled = true
    child.kill('SIGKILL')
    return isCarriedOut ? 'drop' : 'refuse'
  })
  const ended = await exit
  stage.setHook(undefined)
  while (stage.isBusy()) await setTimeout(20)
  return { ...ended, isKilled }
}
