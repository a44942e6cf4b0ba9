/** The browser of the tests: one that is there already, which asks nobody for updates. */
import { existsSync } from 'node:fs'

const CANDIDATES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-sync',
]

export function findChromium(): string | undefined {
  return CANDIDATES.find((path) => path !== undefined && existsSync(path))
}
