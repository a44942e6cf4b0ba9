/**
 * Options as wrangler declares them for each of its commands. A script can pass to each step the options that the step
 * accepts, and reject a misspelled option before it has changed anything.
 */
import { experimental_getWranglerCommands } from 'wrangler'

export interface Flag {
  name: string
  type?: string
  /** The option takes several values. */
  array?: boolean
  requiresArg?: boolean
}

/** The key is a spelling of the option, without the dashes. */
export type Flags = ReadonlyMap<string, Flag>

/** An option on the command line. A boolean option has at most one value, `true` or `false`. */
export interface Option {
  flag: Flag
  values: string[]
}

const { registry, globalFlags } = experimental_getWranglerCommands()

/** The options of a command such as `d1 migrations apply`, without `-v`, which makes wrangler print its version only. */
export function flagsOf(command: string): Flags {
  let node = registry
  for (const word of command.split(' ')) {
    const next = node.subtree.get(word)
    if (next === undefined) throw new Error(`wrangler has no command ${command}`)
    node = next
  }
  const { definition } = node
  if (definition?.type !== 'command') throw new Error(`wrangler ${command} is not a command`)
  const positional: readonly string[] = definition.positionalArgs ?? []
  const { v: _, ...common } = globalFlags
  return new Map(
    Object.entries({ ...common, ...definition.args })
      .filter(([name]) => !positional.includes(name))
      .flatMap(([name, declared]) =>
        [name, ...('alias' in declared ? [declared.alias ?? []].flat() : [])].map((spelling) => [
          spelling,
          { name, ...declared },
        ]),
      ),
  )
}

/** Throws an error whose message is for the user if an option is unknown, lacks its value, or appears twice. */
export function parseOptions(argv: readonly string[], flags: Flags, { allowPositionals = false } = {}): Option[] {
  const options: Option[] = []
  for (const arg of argv) {
    const [, dashed, inline] = /^(--?[^=]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (dashed === undefined) {
      const last = options.at(-1)
      if (last && takes(last, arg)) last.values.push(arg)
      else if (!allowPositionals) throw new Error(`"${arg}" is not known here.`)
      continue
    }
    const { flag, negated } = find(dashed.replace(/^--?/, ''), flags) ?? {}
    if (!flag) throw new Error(`The option ${dashed} is not known.`)
    const before = options.find((option) => option.flag.name === flag.name)
    if (before && !flag.array) throw new Error(`The option ${dashed} appears twice.`)
    options.push({ flag, values: negated ? ['false'] : inline === undefined ? [] : [inline] })
  }
  for (const { flag, values } of options) {
    if ((flag.requiresArg || flag.type === 'number') && values.length === 0)
      throw new Error(`The option --${flag.name} needs a value.`)
    if (flag.type === 'boolean' && !['', 'true', 'false'].includes(values.join()))
      throw new Error(`The option --${flag.name} takes true or false.`)
  }
  return options
}

function takes({ flag, values }: Option, value: string): boolean {
  if (flag.array) return true
  return values.length === 0 && (flag.type !== 'boolean' || value === 'true' || value === 'false')
}

/** Finds a spelling as wrangler does: in camel case too, and with `no-` before a boolean option. */
function find(spelling: string, flags: Flags): { flag: Flag; negated: boolean } | undefined {
  const name = spelling.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const flag = flags.get(name)
  if (flag) return { flag, negated: false }
  const opposite = name.startsWith('no-') ? flags.get(name.slice(3)) : undefined
  return opposite?.type === 'boolean' ? { flag: opposite, negated: true } : undefined
}

export function valueOf(options: readonly Option[], name: string): string | undefined {
  return options.find(({ flag }) => flag.name === name)?.values[0]
}

/** Whether a boolean option is set. */
export function isSet(options: readonly Option[], name: string): boolean {
  const option = options.find(({ flag }) => flag.name === name)
  return option !== undefined && option.values[0] !== 'false'
}

/** The options that a command accepts, as its arguments. */
export function argumentsFor(command: string, options: readonly Option[]): string[] {
  const flags = flagsOf(command)
  return options
    .filter(({ flag }) => flags.has(flag.name))
    .flatMap(({ flag, values }) =>
      values.length === 0 ? [`--${flag.name}`] : values.map((value) => `--${flag.name}=${value}`),
    )
}
