/**
 * The token is in sessionStorage, so it is gone when the tab is closed. In localStorage it would stay on a shared
 * computer. A new tab asks the open ones for the token; once the last tab is closed, there is nobody to ask.
 */
import { isLoopback } from '../../../../src/lib/loopback.ts'

const KEY = 'registrar.token'
const CHANNEL = 'registrar.session'

type Message = { ask: true } | { token: string } | { signedOut: true }

const channel = new BroadcastChannel(CHANNEL)

export function storedToken(): string | null {
  return sessionStorage.getItem(KEY)
}

export function storeToken(token: string): void {
  sessionStorage.setItem(KEY, token)
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
}

/** Signs out of every tab. If another one kept the token, the next new tab would be signed in again. */
export function forgetTokenInAllTabs(): void {
  forgetToken()
  send({ signedOut: true })
}

interface OtherTabs {
  onToken: (token: string) => void
  onSignedOut: () => void
}

/** Asks the other tabs for their token, and gives them ours when they ask. Returns a function that ends this. */
export function joinOtherTabs({ onToken, onSignedOut }: OtherTabs): () => void {
  const listen = ({ data }: MessageEvent<Message>) => {
    const token = storedToken()
    if ('ask' in data && token !== null) send({ token })
    if ('token' in data && token === null) onToken(data.token)
    if ('signedOut' in data && token !== null) onSignedOut()
  }
  channel.addEventListener('message', listen)
  if (storedToken() === null) send({ ask: true })
  return () => channel.removeEventListener('message', listen)
}

function send(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
  channel.postMessage(message)
}

/**
 * Signs in with the token of a link such as `/console#token=…`, which `npm run dev` prints, and removes it from the
 * address and the history. Elsewhere than on this machine it is only removed: with such a link somebody could make an
 * operator work in another account without noticing it.
 */
export function takeTokenFromAddress(): void {
  const token = new URLSearchParams(globalThis.location.hash.slice(1)).get('token')
  if (token === null) return
  history.replaceState(null, '', globalThis.location.pathname)
  if (isLoopback(globalThis.location.hostname)) storeToken(token)
}
