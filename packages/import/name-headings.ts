/** Which columns have the whole name, or one of two surnames. Columns of the API's own fields are preferred to them. */
import { type Guess, NO_FIELD } from './guess.ts'
import { normalizeName } from './normalize-name.ts'
import { FULL_NAME, SECOND_LAST_NAME } from './whole-name.ts'

/** As `normalizeName` returns them, like all below. */
const WHOLE: ReadonlySet<string> = new Set([
  'fullname',
  'wholename',
  'completename',
  'nameandsurname',
  'nameandlastname',
  'firstandlastname',
  'nameofthestudent',
  'studentname',
  'customername',
  'buyername',
  'participantname',
  'surnameandname',
  'lastnamefirstname',
  'surnamename',
  'nombrecompleto',
  'nombreyapellido',
  'nombreyapellidos',
  'nombresyapellidos',
  'nombreapellidos',
  'nombredelalumno',
  'nombredelalumnoa',
  'nombredelestudiante',
  'nombredelparticipante',
  'nombredelcliente',
  'nombredelcomprador',
  'apellidoynombre',
  'apellidoynombres',
  'apellidosynombre',
  'apellidosynombres',
  'apellidosnombre',
  'apellidosnombres',
  'nomecompleto',
  'nomeesobrenome',
  'nomeeapelido',
  'nomedoaluno',
  'nomedoalunoa',
  'nomedaaluna',
  'nomedoestudante',
  'nomedoparticipante',
  'nomedocliente',
  'nomedocomprador',
  'sobrenomeenome',
  'apelidoenome',
])
/** These may be a number or a group as well, so the values decide. */
const PEOPLE: ReadonlySet<string> = new Set([
  'student',
  'learner',
  'participant',
  'pupil',
  'alumno',
  'alumna',
  'alumnoa',
  'estudiante',
  'participante',
  'aluno',
  'aluna',
  'alunoa',
  'estudante',
  'formando',
  'customer',
  'buyer',
  'cliente',
  'comprador',
  'compradora',
])
const WORDS = /^\p{L}[^\d@]*[\s,]\s*\p{L}[^\d@]*$/u
const SURNAME = '(?:apell?ido|sobrenome|surname|lastname|familyname)'
const FIRST_SURNAME = new RegExp(`^(?:(?:primer|primeiro|first|1|1o|1er|1ero|1st)${SURNAME}|${SURNAME}(?:1|paterno))$`)
const SECOND_SURNAME = new RegExp(
  `^(?:(?:segundo|second|2|2o|2do|2nd)${SURNAME}|${SURNAME}(?:2|materno)|secondlastname)$`,
)
/** Such a column has all surnames. */
const SURNAMES = /^(?:apell?idos|sobrenomes|surnames|lastnames)$/

/** Undefined for any other column. */
export function nameColumn(column: string, values: () => string[]): string | undefined {
  const name = normalizeName(column)
  if (WHOLE.has(name)) return FULL_NAME
  if (FIRST_SURNAME.test(name)) return 'last_name'
  if (SECOND_SURNAME.test(name)) return SECOND_LAST_NAME
  if (!PEOPLE.has(name)) return undefined
  const found = values()
  return found.filter((value) => WORDS.test(value)).length * 2 > found.length ? FULL_NAME : undefined
}

/**
 * Returns the guesses without whole names that are not needed, which are ignored. A whole name beside only one of its parts
 * is a question: "Nombre completo" beside "Apellidos" may be the first names.
 */
export function settleNames(guess: Guess): Guess {
  const { fields, unclear, ignored } = guess
  const columnsOf = (field: string) => [
    ...Object.keys(fields).filter((column) => fields[column] === field),
    ...unclear.flatMap((question) => (question.field === field ? question.columns : [])),
  ]
  const whole = columnsOf(FULL_NAME)
  const parts = [columnsOf('name'), columnsOf('last_name')]
  const second = isSurnames(parts[1]?.[0]) ? columnsOf(SECOND_LAST_NAME) : []
  if (whole.length === 0 || parts.flat().length === 0) return without(guess, second)
  if (parts.every((columns) => columns.length > 0))
    return without({ ...guess, ignored: [...ignored, ...whole] }, [...second, ...whole])
  const columns = [...parts.flat(), ...whole]
  const settled = without(guess, [...second, ...columns])
  return { ...settled, unclear: [...settled.unclear, { field: FULL_NAME, columns }] }
}

/** Without a first one, or beside all of them, a second surname is none. */
function isSurnames(column: string | undefined): boolean {
  return column === undefined || SURNAMES.test(normalizeName(column))
}

/** Nothing is read from these columns, and no question is asked about them. */
function without({ fields, unclear, ignored }: Guess, columns: string[]): Guess {
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, columns.includes(name) ? NO_FIELD : field]),
    ),
    unclear: unclear.filter((question) => !question.columns.some((name) => columns.includes(name))),
    ignored,
  }
}
