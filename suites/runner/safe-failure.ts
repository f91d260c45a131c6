import type { FailureData, Json } from '../assertions/failure-data.ts'

type Redact = (text: string) => string

const maxShown = 1_000

/** Redacts before truncating: otherwise part of a truncated secret would be shown. */
export function safeText(text: string, redact: Redact): string {
  const redacted = redact(text)
  return redacted.length > maxShown ? `${redacted.slice(0, maxShown)}…` : redacted
}

/** The data of a failure without secrets and with long quotes truncated. */
export function safeData({ difference, seed, ...facts }: FailureData, redact: Redact): FailureData {
  const safe = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, safeValue(value, redact)] as const],
  )
  return {
    ...Object.fromEntries(safe),
    difference: safeValue(difference, redact),
    ...(seed === undefined ? {} : { seed }),
  }
}

/** A value becomes its JSON text if it is too long, or if a secret spans more than one string. */
function safeValue(value: Json, redact: Redact): Json {
  const safe: Json = JSON.parse(JSON.stringify(value), (_, item: Json) =>
    typeof item === 'string' ? safeText(item, redact) : item,
  )
  if (typeof safe === 'string') return safe
  const text = JSON.stringify(safe)
  const shown = safeText(text, redact)
  return shown === text ? safe : shown
}
