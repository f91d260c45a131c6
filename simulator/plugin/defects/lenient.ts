import type { Override } from '../hooks/hooks.ts'

/** A server that puts a text right before it reads it. */
export function lenient(correct: (text: string) => string): Override {
  return ({ parseJson }) => ({ parseJson: (text) => parseJson(correct(text)) })
}
