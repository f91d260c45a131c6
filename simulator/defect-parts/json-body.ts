import { drop, reject } from './wire.ts'

interface ParsingHooks {
  readonly parseJson: (text: string) => unknown
}

/** A server that corrects a body before it parses it. */
export function correctsBody(correct: (text: string) => string) {
  return ({ parseJson }: ParsingHooks): ParsingHooks => ({ parseJson: (text) => parseJson(correct(text)) })
}

/** A server that rejects some valid bodies as invalid JSON. */
export function rejectsBody(isRejected: (text: string) => boolean) {
  return correctsBody((text) => (isRejected(text) ? reject(400, 'Invalid JSON.') : text))
}

/** The event that a body is nested deeply enough to overflow the stack. Such a request gets no response. */
export function overflowsStack(isDeep: (text: string) => boolean) {
  return ({ parseJson }: ParsingHooks, happens: () => void): ParsingHooks => ({
    parseJson: (text) => {
      if (!isDeep(text)) return parseJson(text)
      happens()
      return drop()
    },
  })
}

/** Adds a missing closing brace. */
export function withClosingBrace(text: string): string {
  return /[^}\s]\s*$/.test(text) && text.startsWith('{') ? `${text}}` : text
}

/** An own member of the body, even with a name such as `__proto__`. */
export function ownMember(members: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(members, name)?.value
}
