/**
 * The token is in sessionStorage, so it is gone when the tab is closed. In localStorage it would stay on a shared
 * computer.
 */
const KEY = 'registrar.token'

export function storedToken(): string | null {
  return sessionStorage.getItem(KEY)
}

export function storeToken(token: string): void {
  sessionStorage.setItem(KEY, token)
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
}
