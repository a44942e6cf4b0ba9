/** The secrets may be unset. Only tests set PASSWORD_COST. */
export type Bindings = Omit<Env, 'ADMIN_TOKEN' | 'TOKEN_KEY' | 'TOKEN_KEY_PREVIOUS'> & {
  ADMIN_TOKEN?: string
  TOKEN_KEY?: string
  TOKEN_KEY_PREVIOUS?: string
  PASSWORD_COST?: string
}
