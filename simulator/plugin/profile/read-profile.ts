import { readFileSync } from 'node:fs'
import { isAlias, isMap, isScalar, LineCounter, parseDocument, type Scalar, type YAMLMap } from 'yaml'
import { pluginErrorKinds } from '../../../spec/plugin/error-kinds.ts'
import { type PluginQuestion, type PluginQuestionId, pluginQuestions } from '../../../spec/plugin/questions.ts'
import { nearest } from '../../profile/nearest.ts'
import {
  InvalidProfileError,
  notKnown,
  type ProfileDocument,
  type ProfileOptions,
  profileSchema,
} from './profile-document.ts'
import { defaultWording } from './wording.ts'

/**
 * Reads a profile from a file of YAML, as `copytrade-tck probe` writes it.
 *
 * @throws InvalidProfileError, with every line that is wrong
 */
export function readProfile(file: string): ProfileDocument {
  return parseProfile(readText(file), file)
}

/**
 * Reads a profile from a text of YAML; `name` stands for the file in messages.
 *
 * @throws InvalidProfileError, with every line that is wrong
 */
export function parseProfile(text: string, name = 'profile'): ProfileDocument {
  const lines = new LineCounter()
  // Pretty errors would quote the line.
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines })
  const reader = createReader((offset) => `${name}:${lines.linePos(offset).line}`)
  for (const error of [...document.errors, ...document.warnings]) {
    reader.problem(error.pos[0], error.message.split('\n')[0] ?? error.message)
  }
  const { answers, options } = readTop(document.contents, reader)
  if (reader.problems.length > 0) throw new InvalidProfileError(reader.problems)
  const entries = [...answers]
  return {
    options: { ...options, profile: Object.fromEntries(entries.filter(([, answer]) => answer !== notKnown)) },
    notKnown: entries.filter(([, answer]) => answer === notKnown).map(([id]) => id as PluginQuestionId),
  }
}

interface Read {
  /** As they stand there, the unknown ones too. */
  readonly answers: ReadonlyMap<string, string>
  readonly options: Omit<ProfileOptions, 'profile'>
}

const nothing: Read = { answers: new Map(), options: {} }

function readTop(contents: unknown, reader: Reader): Read {
  if (!isMap(contents)) {
    reader.problem(offsetOf(contents), 'this is no profile: it holds no mapping with the key plugin.')
    return nothing
  }
  const top = reader.members(contents, ['schema', 'plugin'], 'key')
  const schema = top.get('schema')
  if (schema !== undefined && reader.text(schema, 'schema') !== profileSchema) {
    reader.problem(schema.offset, `schema must be ${profileSchema}.`)
  }
  const plugin = top.get('plugin')
  if (plugin === undefined) reader.problem(offsetOf(contents), 'the key plugin is missing.')
  return plugin === undefined ? nothing : readPlugin(plugin, reader)
}

const pluginKeys = ['name', 'version', 'capacity', 'answers', 'headers', 'reasonPhrases', 'errorTexts']

function readPlugin(plugin: Member, reader: Reader): Read {
  const given = reader.mapping(plugin, 'plugin', pluginKeys, 'key')
  const textsOf = (key: string, known: readonly string[] | RegExp, what: string) => {
    const member = given.get(key)
    if (member === undefined) return {}
    const members = reader.mapping(member, key, known, what)
    return { [key]: Object.fromEntries([...members].map(([name, one]) => [name, reader.text(one, name)])) }
  }
  const identity = (['name', 'version'] as const).flatMap((key) => {
    const member = given.get(key)
    return member === undefined ? [] : [[key, reader.text(member, key)]]
  })
  const answers = given.get('answers')
  return {
    answers: answers === undefined ? new Map() : readAnswers(answers, reader),
    options: {
      ...readCapacity(given.get('capacity'), reader),
      ...(identity.length === 0 ? {} : { plugin: Object.fromEntries(identity) }),
      ...textsOf('headers', Object.keys(defaultWording.headers), 'header with a wording'),
      ...textsOf('reasonPhrases', /^[1-5]\d\d$/, 'status'),
      ...textsOf('errorTexts', kinds, 'kind of error'),
    },
  }
}

const kinds: readonly string[] = pluginErrorKinds.map(({ id }) => id)
const questions = new Map<string, PluginQuestion>(pluginQuestions.map((question) => [question.id, question]))

function readAnswers(answers: Member, reader: Reader): Map<string, string> {
  const read = new Map<string, string>()
  for (const [id, member] of reader.mapping(answers, 'answers', [...questions.keys()], 'question')) {
    const answer = reader.text(member, id)
    const allowed = [...Object.keys(questions.get(id)?.answers ?? {}), notKnown]
    if (allowed.includes(answer)) read.set(id, answer)
    else if (answer !== '') {
      const meant = nearest(answer, allowed)
      reader.problem(
        member.offset,
        `"${answer}" is no answer to ${id}. Did you mean ${meant}? Its answers are: ${allowed.join(', ')}.`,
      )
    }
  }
  return read
}

function readCapacity(member: Member | undefined, reader: Reader): { readonly capacity?: number } {
  if (member === undefined) return {}
  const text = reader.text(member, 'capacity')
  if (text === notKnown) return {}
  const capacity = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(capacity)) return { capacity }
  reader.problem(member.offset, `capacity must be a whole number of at least 0, or ${notKnown}.`)
  return {}
}

/** The value of a key, and where the key stands. */
interface Member {
  readonly value: unknown
  readonly offset: number
}

/** Reads mappings and texts, and collects what is wrong with them. */
interface Reader {
  readonly problems: readonly string[]
  problem(offset: number, message: string): void
  /** The members of a mapping; names that are not known are told with the nearest one. */
  members(map: YAMLMap, known: readonly string[] | RegExp, what: string): ReadonlyMap<string, Member>
  /** The members of a value that must be a mapping. */
  mapping(member: Member, key: string, known: readonly string[] | RegExp, what: string): ReadonlyMap<string, Member>
  /** A value that must be a text, empty if it is none; a number counts as it is written. */
  text(member: Member, key: string): string
}

function createReader(placeOf: (offset: number) => string): Reader {
  const problems: string[] = []
  const problem = (offset: number, message: string) => void problems.push(`${placeOf(offset)}: ${message}`)
  const members: Reader['members'] = (map, known, what) => {
    const found = new Map<string, Member>()
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? sourceOf(key) : ''
      const offset = offsetOf(key)
      if (known instanceof RegExp ? known.test(name) : known.includes(name)) found.set(name, { value, offset })
      else if (known instanceof RegExp) problem(offset, `"${name}" is no ${what}.`)
      else problem(offset, `there is no ${what} "${name}". Did you mean ${nearest(name, known)}?`)
    }
    return found
  }
  return {
    problems,
    problem,
    members,
    mapping: ({ value, offset }, key, known, what) => {
      if (isMap(value)) return members(value, known, what)
      if (!isScalar(value) || value.value !== null) problem(offset, `${key} must be a mapping.`)
      return new Map()
    },
    text: ({ value, offset }, key) => {
      if (isScalar(value) && value.value !== null && !isAlias(value)) return sourceOf(value)
      problem(offset, `${key} must be a text.`)
      return ''
    },
  }
}

/** `1.0` is a text here, and so is `405`. */
function sourceOf({ value, source }: Scalar): string {
  return typeof value === 'string' ? value : (source ?? String(value))
}

function offsetOf(node: unknown): number {
  const { range } = (node ?? {}) as { range?: readonly number[] | null }
  return range?.[0] ?? 0
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  } catch (cause) {
    throw new InvalidProfileError([`The profile cannot be read: ${(cause as Error).message}.`], { cause })
  }
}
