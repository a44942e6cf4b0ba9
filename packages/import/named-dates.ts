/** Days that are written with the name of their month or of the weekday, in English, Spanish and Portuguese. */
import { foldName } from './normalize-name.ts'

/** As `foldName` returns them; three letters of a name are enough, and no two months begin with the same ones. */
const MONTHS = [
  ['january', 'enero', 'janeiro'],
  ['february', 'febrero', 'fevereiro'],
  ['march', 'marzo', 'marco'],
  ['april', 'abril'],
  ['may', 'mayo', 'maio'],
  ['june', 'junio', 'junho'],
  ['july', 'julio', 'julho'],
  ['august', 'agosto'],
  ['september', 'septiembre', 'setiembre', 'setembro'],
  ['october', 'octubre', 'outubro'],
  ['november', 'noviembre', 'novembro'],
  ['december', 'diciembre', 'dezembro'],
]
const WEEKDAYS = [
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ['lunes', 'martes', 'miercoles', 'jueves', 'viernes', 'sabado', 'domingo'],
  ['segunda', 'terca', 'quarta', 'quinta', 'sexta'],
].flat()
const LETTER = /\p{L}/u
const WEEKDAY = /^(\p{L}{3,})(?:[ -]feira)?\.?,? (?=[\d\p{L}])/u
const DAY_FIRST =
  /^(\d{1,2})(?:\.?o|°|st|nd|rd|th)?(?: de | of |[ ./-])(\p{L}{3,})\.?(?: del? |,? |[./-])(\d{4}|\d\d)(?!\d)(.*)$/u
const MONTH_FIRST = /^(\p{L}{3,})\.?[ -](\d{1,2})(?:st|nd|rd|th)?,? (\d{4}|\d\d)(?![\d:])(.*)$/u
/** What stands between a day and its time. */
const BEFORE_TIME = /^(?:,? ?(?:a las?|as|at)? |,)?(?=\d)/

/**
 * Returns such a date in numbers, with the year first (a year of two digits stays last), and without the weekday. Any other
 * text is returned as it is.
 */
export function withoutNames(text: string): string {
  if (!LETTER.test(text)) return text
  const folded = foldName(text)
  const named = inNumbers(folded)
  if (named !== undefined) return named
  const rest = withoutWeekday(folded)
  return rest === folded ? text : (inNumbers(rest) ?? rest)
}

function withoutWeekday(text: string): string {
  const [start = '', name] = WEEKDAY.exec(text) ?? []
  return name !== undefined && WEEKDAYS.some((weekday) => weekday.startsWith(name)) ? text.slice(start.length) : text
}

function inNumbers(text: string): string | undefined {
  const dayFirst = DAY_FIRST.exec(text)
  const [, first = '', second = '', year = '', rest = ''] = dayFirst ?? MONTH_FIRST.exec(text) ?? []
  const [day, name] = dayFirst ? [first, second] : [second, first]
  const month = MONTHS.findIndex((names) => names.some((each) => name !== '' && each.startsWith(name))) + 1
  if (month === 0) return undefined
  const time = rest.replace(BEFORE_TIME, '')
  const numbers = [year, String(month).padStart(2, '0'), day.padStart(2, '0')]
  const date = year.length === 2 ? numbers.toReversed().join('/') : numbers.join('-')
  return time === '' ? date : `${date} ${time}`
}
