/** The text of a cell as the person sees it: the format decides whether a number is a day, a time or digits. */

export interface CellText {
  text: string
  /** False for numbers and booleans. */
  isText: boolean
}

/** `Z` may follow, but the time is that of the wall. */
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?Z?$/

export function cellText(value: unknown, format = 'General', is1904 = false): CellText {
  if (value instanceof Date) return { text: dateText(value, shownFormat(format), is1904), isText: true }
  if (typeof value === 'number') return numberText(value, format)
  if (typeof value === 'boolean') return { text: value ? 'TRUE' : 'FALSE', isText: false }
  const text = String(value)
  const [, day, minutes = '', seconds = ':00'] = ISO.exec(text) ?? []
  // Date cells may be ISO text, whose wall time may have a Z. Without styles, only midnight shows that it is a day.
  const isDate = day !== undefined && (/[yd]/i.test(shownFormat(format)) || /T00:00:00(?:\.0+)?$/.test(text))
  return { text: isDate ? wallTime(day, minutes + seconds) : text, isText: true }
}

/** Returns the first section of a format, without what is written in quotes, after a backslash or in brackets. */
function shownFormat(format: string): string {
  const [section = ''] = format.replaceAll(/"[^"]*"|\\.|[_*]./g, '').split(';')
  return section.replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').replaceAll(/AM\/PM|A\/P|General/gi, '')
}

function dateText(date: Date, format: string, is1904: boolean): string {
  // Excel stores fractions of days, so the seconds are rounded.
  const rounded = Math.round(date.getTime() / 1000) * 1000
  const elapsed = /\[([hms])+\]/i.exec(format)?.[1]?.toLowerCase()
  if (elapsed !== undefined) return durationText(rounded - epoch(rounded, is1904), elapsed, /s/i.test(format))
  const [day = '', time = ''] = new Date(rounded).toISOString().split(/[T.]/)
  const hasTime = /[hs]/i.test(format)
  if (!/[yde]/i.test(format) && hasTime) return /s/i.test(format) || !time.endsWith(':00') ? time : time.slice(0, 5)
  return hasTime ? wallTime(day, time) : day
}

/** Excel's day 0 is before 1900-01-01, and its day 60 is one that did not exist. */
function epoch(time: number, is1904: boolean): number {
  if (is1904) return Date.UTC(1904, 0, 1)
  return time < Date.UTC(1900, 2, 1) ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30)
}

function durationText(milliseconds: number, unit: string, hasSeconds: boolean): string {
  const seconds = Math.round(milliseconds / 1000)
  const pad = (count: number) => String(count).padStart(2, '0')
  if (unit === 's') return String(seconds)
  const minutes = Math.floor(seconds / 60)
  const end = hasSeconds ? `:${pad(seconds % 60)}` : ''
  return unit === 'm' ? `${pad(minutes)}${end}` : `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}${end}`
}

/** A date at midnight is a day. */
function wallTime(day: string, time: string): string {
  return time === '00:00:00' ? day : `${day}T${time}`
}

function numberText(value: number, format: string): CellText {
  const digits = digitsText(value, format)
  if (digits !== undefined) return { text: digits, isText: true }
  if (/^0(?:\.0+)?%$/.test(format)) return { text: `${Number((value * 100).toPrecision(15))}%`, isText: true }
  // A double has more digits than Excel shows: 0.1 + 0.2 is 0.3.
  if (!Number.isInteger(value)) return { text: String(Number(value.toPrecision(15))), isText: false }
  // The digits of a larger integer are unknown, and those of the double would look like an id.
  const text = Number.isSafeInteger(value) ? String(value) : value.toExponential()
  return { text, isText: false }
}

/**
 * The digits of an integer in a format such as `00000` or `\+0`, which has a literal or a fixed number of digits. Undefined
 * for every other format.
 */
function digitsText(value: number, format: string): string | undefined {
  const { section, isSigned } = sectionFor(value, format)
  const tokens = [...section.replaceAll(/\[[^\]]*\]|\*./g, '').matchAll(/"([^"]*)"|\\(.)|_(.)|([0#?])|(.)/gs)]
  const places = tokens.filter((token) => token[4] !== undefined).length
  const isPlain = tokens.every((token) => token[5] === undefined || /[-+()/: ]/.test(token[5]))
  const isUseful = tokens.length > places || tokens.filter((token) => token[4] === '0').length > 1
  if (!Number.isSafeInteger(value) || !isPlain || !isUseful || places === 0) return undefined
  const zeros = tokens.filter((token) => token[4] === '0').length
  let rest = String(Math.abs(value)).padStart(zeros, '0')
  let left = places
  let text = ''
  for (const [, quoted, escaped, blank, place, literal] of tokens) {
    if (place === undefined) text += quoted ?? escaped ?? (blank === undefined ? literal : ' ')
    else {
      // The first place has all digits for which there is no place.
      const count = Math.max(0, rest.length - (left - 1))
      text += rest.slice(0, count)
      rest = rest.slice(count)
      left--
    }
  }
  return (isSigned && value < 0 ? '-' : '') + text.trim()
}

/** The section of a format for a number: those with conditions in their order, otherwise positive; negative; zero. */
function sectionFor(value: number, format: string): { section: string; isSigned: boolean } {
  const all = [...format.matchAll(/((?:"[^"]*"|\\.|[^;])*)(?:;|$)/g)].map(([, section = '']) => section)
  // The last match is the empty end. A section with @ is for text.
  const sections = all.slice(0, -1).filter((section) => !section.includes('@'))
  const conditions = sections.map((section) => /\[([<>=]+)(-?[\d.]+)\]/.exec(section))
  if (conditions.some((condition) => condition !== null)) {
    const index = conditions.findIndex((condition) => condition === null || holds(value, condition))
    return { section: sections[index] ?? '', isSigned: true }
  }
  const index = value < 0 ? 1 : value === 0 ? 2 : 0
  return index < sections.length
    ? { section: sections[index] ?? '', isSigned: index === 0 }
    : { section: sections[0] ?? '', isSigned: true }
}

function holds(value: number, [, sign = '', limit]: RegExpExecArray): boolean {
  const difference = Math.sign(value - Number(limit))
  return sign === '<>' ? difference !== 0 : sign.includes({ '-1': '<', '0': '=', '1': '>' }[String(difference)] ?? ' ')
}

/** Both are counted from 0. */
export function cellName(x: number, y: number): string {
  let letters = ''
  for (let rest = x; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters
  return `${letters}${y + 1}`
}
