/** npm takes an option that stands before the `--`, and the command runs without it: `npm run deploy --dry-run` would deploy. */

/** A sentence if npm has taken one of these options of the command. They have no dashes here. */
export function findTaken(command: string, names: readonly string[]): string | undefined {
  const taken = names.find((name) => `npm_config_${name.replaceAll('-', '_')}` in process.env)
  if (taken === undefined) return undefined
  return `npm has kept --${taken} for itself. Write two dashes before it: npm run ${command} -- --${taken} …`
}
