/** Kept for this tab alone: closing it signs out. */
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
