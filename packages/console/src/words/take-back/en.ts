/** What the dialog says that takes an import back. */
import { countingIn } from '../counting.ts'

const { number, count } = countingIn('en')

export const takingBack = {
  action: 'Take back',
  actionOf: (file: string) => `Take back the import of ${file}`,
  title: 'Take an import back',
  what: 'What the import granted is closed. What it changed is put back where it is still as the import left it. Whom it created is erased, unless something has happened since.',
  checking: 'Checking what would happen',
  running: 'Taking the import back',
  stopHint: 'If you close this window, it stops. You can go on later.',
  progress: 'Progress',
  checked: 'Nothing was changed yet. This would happen:',
  done: 'The import was taken back',
  doneBefore: (stays: string) => `Taken back. What stays: ${stays}`,
  nothing: 'There is nothing to take back.',
  counts: {
    erased: 'Users erased',
    closed: 'Accesses closed',
    people: 'Users put back',
    accesses: 'Accesses put back',
    stays: 'What stays',
  },
  noErase:
    'Your role may not erase users. Those whom the import created stay, and their accesses are closed. An operator with the role admin can erase them.',
  typeToConfirm: (n: string) => `Type ${n} to confirm`,
  staysTitle: 'What stays, and why',
  stays: {
    person_changed: 'Somebody has changed this user since.',
    person_used: 'Somebody has granted or changed an access since, or there is progress in one.',
    no_right: 'Your role may not erase users.',
    field_changed: (what: string) => `${what}: it is no longer as the import left it.`,
    access_changed: (what: string) => `Access to ${what}: it is no longer as the import left it.`,
    password: 'The password: the one before cannot be read.',
    rejected: (what: string) => `${what}: the service no longer accepts the value before.`,
    uncompared: 'The accesses: the import could not read them before it changed them.',
  },
  moreStays: (n: number) => `And ${count(n, 'more', 'more')}.`,
  old: 'An earlier version of the console has kept this record. It does not have what this needs.',
  copies: 'Files that somebody has downloaded, and imports that other browsers remember, may still have copies.',
  number,
}
