/** True on a developer's machine and in tests. */
export function isLocal({ ENVIRONMENT }: { ENVIRONMENT: string }): boolean {
  return ENVIRONMENT === 'development' || ENVIRONMENT === 'test'
}
