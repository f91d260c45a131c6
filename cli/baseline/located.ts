import { isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml'
import { nearest } from '../../simulator/profile/nearest.ts'
import { UsageError } from '../command-error.ts'

/** A value of a file with the line on which it stands, for messages that lead there. */
export interface Located {
  /** Where it stands among the others, e.g. `knownFailures[1].reason`. */
  readonly name: string
  readonly node: ParsedNode | null
  /** The error to throw about it: `says` goes on after the name. */
  refuse(says: string, hint: string): UsageError
  /** The same for a value inside it. */
  inside(name: string, node: ParsedNode | null): Located
}

/**
 * Reads YAML, or JSON, which is YAML too.
 *
 * @throws {UsageError} with the line, when the text is neither
 */
export function parseLocated(text: string, path: string): Located {
  const lineCounter = new LineCounter()
  const { errors, contents } = parseDocument(text, { lineCounter, prettyErrors: false })
  const [error] = errors
  if (error !== undefined) {
    const { line } = lineCounter.linePos(error.pos[0])
    throw new UsageError(`${path}:${line}: ${error.message}.`, 'Give the file as YAML or as JSON.', { cause: error })
  }
  const at = (name: string, node: ParsedNode | null, from: number): Located => {
    const offset = node?.range[0] ?? from
    return {
      name,
      node,
      refuse: (says, hint) => new UsageError(`${path}:${lineCounter.linePos(offset).line}: ${name} ${says}.`, hint),
      inside: (inner, innerNode) => at(inner, innerNode, offset),
    }
  }
  return at('the file', contents, 0)
}

/**
 * The members of an object by their names.
 *
 * @throws {UsageError} when it is none, or has a member that is not among `known`
 */
export function members<Name extends string>(
  located: Located,
  known: readonly Name[],
): Readonly<Partial<Record<Name, Located>>> {
  const { node, name } = located
  if (!isMap(node)) throw located.refuse('is no object', `It has the keys ${known.join(', ')}.`)
  const found = node.items.map(({ key, value }) => {
    const text = isScalar(key) ? String(key.value) : String(key)
    const path = name === 'the file' ? text : `${name}.${text}`
    if (!(known as readonly string[]).includes(text)) {
      const meant = `Did you mean "${nearest(text, known)}"? The keys are ${known.join(', ')}.`
      throw located.inside(path, key as ParsedNode).refuse('is no known key', meant)
    }
    return [text, located.inside(path, (value ?? key) as ParsedNode)] as const
  })
  return Object.fromEntries(found) as Partial<Record<Name, Located>>
}

/**
 * The items of a list.
 *
 * @throws {UsageError} when it is none
 */
export function items(located: Located): readonly Located[] {
  const { node, name } = located
  if (!isSeq(node)) throw located.refuse('is no list', 'Without known failures it is [].')
  return node.items.map((item, index) => located.inside(`${name}[${index}]`, item as ParsedNode))
}

/**
 * The text of a value.
 *
 * @throws {UsageError} when it is anything but text
 */
export function textOf(located: Located): string {
  const { node } = located
  if (isScalar(node) && typeof node.value === 'string') return node.value.trim()
  throw located.refuse('is no text', 'Put it in quotation marks.')
}
