const NAMES = String.raw`(localhost|127\.0\.0\.1|\[::1\])`
const LOOPBACK = new RegExp(`^${NAMES}$`)
const PLAIN_ELSEWHERE = new RegExp(String.raw`^http:\/\/(?!${NAMES}([:/]|$))`, 'i')

/** Whether a URL's host is this machine, as the URL parser writes it. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/** Whether a URL leads by plain http to another machine. It is asked of each request, and so is not parsed. */
export function isPlainElsewhere(url: string): boolean {
  return PLAIN_ELSEWHERE.test(url)
}
