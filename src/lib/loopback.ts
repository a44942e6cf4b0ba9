const NAMES = String.raw`(localhost|127\.0\.0\.1|\[::1\])`
const LOOPBACK = new RegExp(`^${NAMES}$`)
const PLAIN_ELSEWHERE = new RegExp(String.raw`^http:\/\/(?!${NAMES}([:/]|$))`, 'i')

/** True if the host of a parsed URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/** True for a plain HTTP URL of another machine. This runs for every request, so it does not parse the URL. */
export function isPlainElsewhere(url: string): boolean {
  return PLAIN_ELSEWHERE.test(url)
}
