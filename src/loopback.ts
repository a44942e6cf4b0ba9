const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** Whether a URL's host is this machine, as the URL parser writes it. */
export function isLoopback(hostname = ''): boolean {
  return LOOPBACK.test(hostname)
}
