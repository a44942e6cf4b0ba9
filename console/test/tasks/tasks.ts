/** Ten tasks of an operator's day. Each one checks through the API that it was really done. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { workbookOf } from '../workbook.ts'
import type { Hands } from './hands.ts'
import { KNOWN } from './people.ts'
import { type Call, COURSES, type School } from './school.ts'

export interface Task {
  /** The name of its picture. */
  id: string
  /** What the operator is asked to do. */
  text: string
  do: (hands: Hands, school: School) => Promise<void>
  /** Throws unless it is done. */
  check?: (school: School) => Promise<void>
}

const THREE = [KNOWN.firstOfThree, KNOWN.secondOfThree, KNOWN.thirdOfThree]
const CORRECTED = 'mina.garrity@example.net'

/** What is wrong with a row, by its place in the file. */
const FAULTY: [number, (cells: string[]) => void][] = [
  [4, (cells) => (cells[2] = 'student4@example')],
  [11, (cells) => (cells[1] = '')],
  [18, (cells) => (cells[3] = 'Ruritania')],
  [25, (cells) => (cells[4] = 'yogaa')],
  [33, (cells) => (cells[2] = 'student32@example.net')],
]

function studentsFile(): Buffer {
  const rows = Array.from({ length: 40 }, (_, i) => [
    'Lucía',
    `Student ${i}`,
    `student${i}@example.net`,
    ['España', 'México', 'Portugal'][i % 3] ?? '',
    'yoga',
  ])
  for (const [i, spoil] of FAULTY) spoil(rows[i] ?? [])
  return workbookOf({ Alumnos: [['Nombre', 'Apellidos', 'Correo', 'País', 'Curso'], ...rows] })
}

export const TASKS: Task[] = [
  {
    id: 'find',
    text: `José García calls, who writes from ${KNOWN.caller.email}. Open his page.`,
    do: async (hands) => {
      await hands.click('link', 'Users')
      await hands.type('Find users', 'josé garcía')
      const row = hands.page.getByRole('row').filter({ hasText: KNOWN.caller.email })
      await hands.clickOn(row.getByRole('link', { name: 'José García', exact: true }))
      await hands.page.getByRole('heading', { name: 'José García', exact: true }).waitFor()
    },
  },
  {
    id: 'grant',
    text: `Give ${THREE.map(({ name }) => name).join(', ')} the course ${COURSES.yoga} until the end of June.`,
    do: async (hands) => {
      const { page } = hands
      await hands.click('link', 'Users')
      for (const { name, last_name, email } of THREE) {
        await hands.type('Find users', `${name} ${last_name}`)
        await hands.click('checkbox', `Select ${name} ${last_name}, ${email}`)
      }
      await hands.click('button', 'Grant access')
      const dialog = page.getByRole('dialog', { name: 'Grant access' })
      await hands.choose('Products', COURSES.yoga, dialog)
      await hands.click('radio', 'Until a date that I choose', dialog)
      await hands.chooseNative('End of a month', nameOfMonth(endOfJune()), dialog)
      await hands.click('button', 'Grant access', dialog)
      await page.getByText(/^3 accesses were granted\.$/).waitFor()
    },
    check: async ({ api }) => {
      const june = endOfJune()
      for (const person of THREE) {
        const access = (await accessesOf(api, person)).find(({ product }) => product.name === COURSES.yoga)
        assert.equal(Date.parse(access?.access_due_date), june.getTime())
      }
    },
  },
  {
    id: 'extend',
    text: `Extend the ended accesses to ${COURSES.spanish} by 30 days. It was the wrong course: revert it.`,
    do: async (hands) => {
      const { page } = hands
      await hands.click('link', 'Product accesses')
      await hands.choose('Product', COURSES.spanish)
      await hands.choose('State', 'Ended')
      await hands.click('button', 'Change all matches…')
      const dialog = page.getByRole('dialog', { name: 'Change many accesses' })
      await hands.click('button', 'Check what would change', dialog)
      await hands.click('button', /^Change [\d,]+ accesses$/, dialog)
      await page.getByText(/^The bulk change is done: [\d,]+ accesses changed\.$/).waitFor()
      await hands.click('link', 'Bulk changes')
      await hands.click('link', 'Extend by 30 days')
      await hands.click('button', 'Revert')
      await hands.click('button', 'Revert', page.getByRole('dialog', { name: 'Revert the bulk change' }))
      await page.getByText('Changed by someone since then').waitFor()
      await page.getByText('Done', { exact: true }).waitFor()
    },
    check: async ({ api }) => {
      const [revert, change] = (await api('GET', '/bulk_changes')).data.filter(({ dry_run }: any) => !dry_run)
      assert.equal(revert.reverts, change.id)
      assert.equal(revert.state, 'done')
      assert.ok(change.changed > 0)
      assert.equal(revert.changed, change.changed)
    },
  },
  {
    id: 'import',
    text: 'Import an Excel file with 40 new students. Five rows are faulty: say which and why.',
    do: async (hands) => {
      const { page } = hands
      await hands.click('link', 'Import')
      await hands.chooseFile('Choose a file', { name: 'alumnos.xlsx', mimeType: '', buffer: studentsFile() })
      await hands.click('button', 'Import')
      await page.getByRole('heading', { name: 'Import finished' }).waitFor()
      const lines = page.getByRole('table', { name: 'Failed lines' }).getByRole('row')
      assert.equal(await lines.count(), 1 + FAULTY.length)
      await lines.last().scrollIntoViewIfNeeded()
    },
    check: async ({ api }) => {
      assert.equal((await api('GET', '/users?email=student39@example.net')).data.length, 1)
      assert.equal((await api('GET', '/users?email=student0@example.net')).data.length, 1)
    },
  },
  {
    id: 'who',
    text: `${KNOWN.closed.name} ${KNOWN.closed.last_name} can no longer open ${COURSES.photography}. Who closed the access, and when?`,
    do: async (hands) => {
      await hands.click('link', 'Users')
      await findUser(hands, 'yolanda quis', 'Yolanda Quispe')
      await hands.page.getByText(/operator Marta Vidal/).waitFor()
    },
  },
  {
    id: 'token',
    text: 'The token of the newsletter was published by mistake. Disable it.',
    do: async (hands) => {
      await hands.click('link', 'Access tokens')
      await hands.click('button', 'Revoke Newsletter')
      await hands.click('button', 'Revoke', hands.page.getByRole('dialog', { name: 'Revoke the token' }))
      await hands.page.getByText('The token was revoked.').waitFor()
    },
    check: async ({ api }) => {
      const { data } = await api('GET', '/tokens')
      assert.deepEqual(
        data.filter(({ revoked_at }: any) => revoked_at !== null).map(({ name }: any) => name),
        ['Newsletter'],
      )
    },
  },
  {
    id: 'email',
    text: `${KNOWN.misspelled.name} ${KNOWN.misspelled.last_name} gets no emails: the address lacks an r. Correct it.`,
    do: async (hands) => {
      await hands.click('link', 'Users')
      await findUser(hands, 'wilhelmina', 'Wilhelmina Garrity')
      await hands.click('button', 'Edit')
      const dialog = hands.page.getByRole('dialog', { name: 'Edit the user' })
      await hands.type('Email', CORRECTED, dialog)
      await hands.click('button', 'Save', dialog)
      await hands.page.getByText(CORRECTED).first().waitFor()
      await dialog.waitFor({ state: 'hidden' })
    },
    check: async ({ api }) => assert.equal((await api('GET', `/users?email=${CORRECTED}`)).data.length, 1),
  },
  {
    id: 'export',
    text: 'A colleague wants an Excel list of the accesses that end within seven days.',
    do: async (hands) => {
      const { page } = hands
      await hands.click('link', /^In force, ending within 7 days: /)
      await hands.click('link', 'Download this list')
      const lines = readFileSync(await hands.saveFile('Download accesses'), 'utf8')
        .trim()
        .split('\n')
      assert.ok(lines.length > 100)
      await page.getByText(/is complete/).waitFor()
    },
  },
  {
    id: 'webhook',
    text: 'The shop was broken and works again. Send it what it missed, and see that it arrived.',
    do: async (hands, { shop }) => {
      const { page } = hands
      shop.status = 204
      await hands.click('link', 'Webhooks')
      await hands.clickOn(page.getByRole('row').filter({ hasText: 'Down' }).getByRole('link'))
      await hands.click('button', 'Try now')
      await hands.clickOn(page.getByRole('radiogroup', { name: 'Deliveries to show' }).getByText('Pending'))
      await page.getByText('There are no deliveries in this state.').waitFor()
    },
    check: async ({ api }) => {
      const [{ state }] = (await api('GET', '/webhook_endpoints')).data
      assert.equal(state, 'ok')
    },
  },
  {
    id: 'erase',
    text: `${KNOWN.leaving.name} ${KNOWN.leaving.last_name} asks to be erased.`,
    do: async (hands) => {
      await hands.click('link', 'Users')
      await findUser(hands, 'figueira balt', 'Baltasar Figueira')
      await hands.click('button', 'Erase')
      const dialog = hands.page.getByRole('dialog', { name: 'Erase this user' })
      await hands.type(/^Type .* to confirm$/, KNOWN.leaving.email, dialog)
      await hands.click('button', 'Erase permanently', dialog)
      await hands.page.getByText('The user was erased.').waitFor()
    },
    check: async ({ api }) => assert.equal((await api('GET', `/users?email=${KNOWN.leaving.email}`)).data.length, 0),
  },
]

/** In the time zone of the operator's browser, where June has daylight saving time. */
function endOfJune(): Date {
  const now = new Date()
  return new Date(`${now.getFullYear() + (now.getMonth() > 5 ? 1 : 0)}-06-30T23:59:59+02:00`)
}

function nameOfMonth(day: Date): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' }).format(day)
}

/** Types what is enough to find the person, and opens the first hit. */
async function findUser(hands: Hands, text: string, name = text): Promise<void> {
  await hands.type('Find users', text)
  await hands.press('Enter')
  await hands.page.getByRole('heading', { name, exact: true }).waitFor()
}

async function accessesOf(api: Call, { email }: { email: string }): Promise<any[]> {
  const [user] = (await api('GET', `/users?email=${email}`)).data
  return (await api('GET', `/product_accesses?user_id=${user.id}`)).data
}
