/** RFC 1035, section 2.3.4: a name of 255 octets has 253 characters. */
const DOMAIN_LENGTH = { name: 253, label: 63 } as const

/** RFC 5322, section 3.2.3: dot-atom, in ASCII. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** The characters of a domain before its conversion. The URL parser would strip or decode any other one. */
const DOMAIN = /^([A-Za-z0-9.\-\p{L}\p{M}\p{N}\u00b7\u30fb]|\u200c|\u200d)+$/u
const REST_OF_LABEL = `([a-z0-9-]{0,${DOMAIN_LENGTH.label - 2}}[a-z0-9])?`
const LABEL = new RegExp(`^[a-z0-9]${REST_OF_LABEL}$`)

/** A name in ASCII that UTS #46 would not change. Most are, and parsing a URL is slow. */
const PLAIN_NAME = new RegExp(`^([a-z0-9]${REST_OF_LABEL}\\.)+[a-z]${REST_OF_LABEL}$`)

/**
 * The form in which addresses are compared: the local part in lower case, the domain as punycode (UTS #46, by the URL
 * parser). Undefined for a text that is not an address. Only ASCII letters are lowered: otherwise `K` (U+212A) would equal
 * `k`.
 */
export function emailKey(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  if (at < 1 || !LOCAL_PART.test(local)) return undefined
  const domain = toAscii(email.slice(at + 1))
  return domain === undefined || domain.length > DOMAIN_LENGTH.name ? undefined : `${local.toLowerCase()}@${domain}`
}

/** Undefined for a text that is not the name of a domain. */
function toAscii(domain: string): string | undefined {
  const lower = domain.toLowerCase()
  if (PLAIN_NAME.test(lower) && !lower.includes('xn--')) return lower
  if (!DOMAIN.test(domain)) return undefined
  const ascii = URL.parse(`https://${domain}`)?.hostname
  const labels = ascii?.split('.') ?? []
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return isName ? ascii : undefined
}

/** In lower case. As in `emailKey`, other letters than those of ASCII stay in the local part, or it could become valid. */
export function lowerEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1
  return email.slice(0, at).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) + email.slice(at).toLowerCase()
}

/** Like `emailKey`, of an address that has been validated. */
export function emailKeyOf(email: string): string {
  const key = emailKey(email)
  if (key === undefined) throw new Error('an email that was not validated')
  return key
}
