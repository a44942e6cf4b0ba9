/**
 * Options as wrangler itself declares them for each of its commands: so that every step of a script is given those
 * that it understands, and a misspelt one is refused before anything has happened.
 */
import { experimental_getWranglerCommands } from 'wrangler'

export interface Flag {
  name: string
  type?: string
  /** It takes several values. */
  array?: boolean
  requiresArg?: boolean
}

/** By each spelling, without the dashes. */
export type Flags = ReadonlyMap<string, Flag>

/** What was given; a boolean option has at most one value, `true` or `false`. */
export interface Option {
  flag: Flag
  values: string[]
}

const { registry, globalFlags } = experimental_getWranglerCommands()

/** Of a command such as `d1 migrations apply`. Those that make wrangler do something else instead are left out. */
export function flagsOf(command: string): Flags {
  let node = registry
  for (const word of command.split(' ')) {
    const next = node.subtree.get(word)
    if (next === undefined) throw new Error(`wrangler has no command ${command}`)
    node = next
  }
  const { definition } = node
  if (definition?.type !== 'command') throw new Error(`wrangler ${command} is no command`)
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

/** Throws a message for people when an option is unknown, lacks its value, or is given twice. */
export function parseOptions(argv: readonly string[], flags: Flags): Option[] {
  const options: Option[] = []
  for (const arg of argv) {
    const [, dashed, inline] = /^(--?[^=]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (dashed === undefined) {
      const last = options.at(-1)
      if (!last || !takes(last, arg)) throw new Error(`"${arg}" is not known here.`)
      last.values.push(arg)
      continue
    }
    const { flag, negated } = find(dashed.replace(/^--?/, ''), flags) ?? {}
    if (!flag) throw new Error(`The option ${dashed} is not known.`)
    const before = options.find((option) => option.flag.name === flag.name)
    if (before && !flag.array) throw new Error(`The option ${dashed} is given twice.`)
    options.push({ flag, values: negated ? ['false'] : inline === undefined ? [] : [inline] })
  }
  for (const { flag, values } of options) {
    if (flag.requiresArg && values.length === 0) throw new Error(`The option --${flag.name} needs a value.`)
    if (flag.type === 'boolean' && !['', 'true', 'false'].includes(values.join()))
      throw new Error(`The option --${flag.name} takes true or false.`)
  }
  return options
}

function takes({ flag, values }: Option, value: string): boolean {
  if (flag.array) return true
  return values.length === 0 && (flag.type !== 'boolean' || value === 'true' || value === 'false')
}

/** As wrangler reads it: in camel case too, and with `no-` before a boolean one. */
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

/** Those of the options that a command understands, as its arguments. */
export function argumentsFor(command: string, options: readonly Option[]): string[] {
  const flags = flagsOf(command)
  return options
    .filter(({ flag }) => flags.has(flag.name))
    .flatMap(({ flag, values }) =>
      values.length === 0 ? [`--${flag.name}`] : values.map((value) => `--${flag.name}=${value}`),
    )
}
