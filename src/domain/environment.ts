/** Whether the service runs where nobody else relies on it: on a developer's machine, or in a test. */
export function isLocal({ ENVIRONMENT }: { ENVIRONMENT: string }): boolean {
  return ENVIRONMENT === 'development' || ENVIRONMENT === 'test'
}
