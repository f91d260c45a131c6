import { reject } from './reject.ts'

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

/** A closing brace where it is missing. */
export function withClosingBrace(text: string): string {
  return /[^}\s]\s*$/.test(text) && text.startsWith('{') ? `${text}}` : text
}

export function withoutTrailingComma(text: string): string {
  return text.replace(/,\s*}/, '}')
}
