import { type Command, Option } from 'commander'
import { notEmptyPath } from './parsers.ts'

interface More<Default> {
  readonly otherwise?: Default
  /** The default as shown in the help. */
  readonly shown?: string
  /** The environment variable that holds the value if the option is not given. */
  readonly env?: string
  readonly conflicts?: string | string[]
  /** The spelling, if it is not `--` and the name. */
  readonly spelled?: string
}

/** An option of a command. Its name is its key in a table. `Value` includes `undefined` if it has no default. */
export interface Flag<Value> extends More<unknown> {
  readonly argument: string
  readonly description: string
  readonly parse?: (text: string, before: never) => unknown
  readonly words?: readonly string[]
  /** Never set: carries the type for the compiler. */
  readonly valueType?: () => Value
}

export type Flags = Readonly<Record<string, Flag<unknown>>>

type ValueOf<One> = One extends Flag<infer Value> ? Value : never

/** The parsed values of a table of options. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table as undefined extends ValueOf<Table[Name]> ? never : Name]: ValueOf<Table[Name]>
} & {
  readonly [Name in keyof Table as undefined extends ValueOf<Table[Name]> ? Name : never]?: NonNullable<
    ValueOf<Table[Name]>
  >
}

export function text<Default extends string | undefined = undefined>(
  argument: string,
  description: string,
  more: More<Default> = {},
): Flag<string | Default> {
  const isPath = /^<(file|dir|path|report\.json)>$/.test(argument)
  return { argument, description, ...(isPath && { parse: notEmptyPath }), ...more }
}

/** An option whose value `parse` reads from a string. */
export function value<Value, Default extends Value | undefined = undefined>(
  argument: string,
  description: string,
  parse: (text: string, before: Value) => Value,
  more: More<Default> = {},
): Flag<Value | Default> {
  return { argument, description, parse, ...more }
}

export function oneOf<const Word extends string, Default extends Word | undefined = undefined>(
  argument: string,
  description: string,
  words: readonly Word[],
  more: More<Default> = {},
): Flag<Word | Default> {
  return { argument, description, words, ...more }
}

export function toggle(description: string, more: More<boolean> = {}): Flag<boolean> {
  return { argument: '', description, otherwise: false, ...more }
}

/** Makes the value optional: without one the option is `true`. */
export function valueOptional<Value>(flag: Flag<Value>): Flag<Value | boolean> {
  return flag as Flag<Value | boolean>
}

/** `--max-fill` for `maxFill`. */
export function spell(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

export function optionsOf(table: Flags, heading?: string): readonly Option[] {
  return Object.entries(table).map(([name, flag]) => {
    const { argument, description, parse, words, otherwise, shown, env, conflicts } = flag
    const term = `${flag.spelled ?? spell(name)} ${argument}`.trim()
    const option = new Option(term, description).default(otherwise, shown)
    if (parse !== undefined) option.argParser(parse as (text: string, before: unknown) => unknown)
    if (words !== undefined) option.choices(words)
    // A compose file sets a variable without a value to an empty string.
    if (env !== undefined && process.env[env] !== '') option.env(env)
    if (conflicts !== undefined) option.conflicts(conflicts)
    return heading === undefined ? option : option.helpGroup(heading)
  })
}

export function addFlags(command: Command, table: Flags): Command {
  for (const option of optionsOf(table)) command.addOption(option)
  return command
}
