import { appendFileSync } from 'node:fs'
import { type Answer, NoAnswer } from '../http/answer.ts'
import { keepBytes, type RecordedAnswer, type RecordingLine, redactValues } from './recording.ts'
import type { Tape } from './tape.ts'

/** Adds a line to a recording at once, so that it holds everything up to a sudden end. */
export function appendLine(file: string, line: RecordingLine): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
}

/** Writes down every exchange, passing all texts through `redact`. */
export function recordingTape(file: string, redact: (text: string) => string): Tape {
  let check = ''
  let count = 0
  const answerOf = ({ status, headers, bytes }: Answer): RecordedAnswer => ({
    status,
    headers: redactValues(headers, redact),
    body: keepBytes(bytes, redact),
  })
  return {
    begin: (name, drafts) => {
      check = name
      appendLine(file, { kind: 'check', check, drafts })
      return drafts
    },
    client: (client) => async (request) => {
      count += 1
      const sent = {
        kind: 'exchange' as const,
        ...{ check, number: count },
        request: {
          method: request.method,
          path: redact(request.path),
          headers: redactValues(request.headers, redact),
          body: request.body === null ? null : keepBytes(request.body, redact),
        },
      }
      try {
        const answer = await client(request)
        appendLine(file, { ...sent, outcome: answerOf(answer) })
        return answer
      } catch (error) {
        if (error instanceof NoAnswer) {
          appendLine(file, { ...sent, outcome: error.exchange.failure ?? redact(error.message) })
        }
        throw error
      }
    },
    raw: (raw) => async (request) => {
      count += 1
      const begun = { kind: 'raw' as const, check, number: count }
      const { answers, end } = await raw(request)
      const bytes = [request.bytes].flat().map((part) => keepBytes(part, redact))
      appendLine(file, { ...begun, bytes, answers: answers.map(answerOf), end })
      return { answers, end }
    },
  }
}
