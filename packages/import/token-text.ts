/** What is wrong with the characters of a token. The token itself is never shown. */
export interface TokenProblem {
  /** From 1. */
  position: number
  /** Such as U+FEFF. */
  character: string
}

/** Undefined if a header can carry the token. It is printable ASCII, without blanks at its ends. */
export function tokenProblem(token: string): TokenProblem | undefined {
  const index = /[^ -~]|^ | $/u.exec(token)?.index
  if (index === undefined) return undefined
  const code = token.codePointAt(index) ?? 0
  return { position: index + 1, character: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` }
}

/** Is thrown before anything is sent. */
export class BadToken extends RangeError {
  override name = 'BadToken'

  constructor({ position, character }: TokenProblem) {
    super(`The token contains a character that no token has: ${character}, as character ${position}. Copy it again.`)
  }
}
