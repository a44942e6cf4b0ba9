/**
 * The link that opens a new mail. An email may contain `?` and `&`, and what follows them would be read as more recipients
 * or as the text of the mail (RFC 6068, section 2). The `@` stays, because not every mail program decodes it.
 */
export function mailtoOf(email: string): string {
  return `mailto:${email.split('@').map(encodeURIComponent).join('@')}`
}
