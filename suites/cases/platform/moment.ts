/** A date and time as it was written. */
export interface Moment {
  readonly epochMs: number
  /** Whether there is such a day and such a time of day. */
  readonly exists: boolean
  /** Digits of the fraction of a second. */
  readonly fraction: number
  /** How it says that it is UTC. */
  readonly zone: 'z' | 'offset'
}

// Extended or basic format, as ISO 8601 has them; the zone is Z or an offset of nothing.
const pattern = /^(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?(Z|[+-]00(?::?00)?)$/i

/** The moment that a text of ISO 8601 in UTC means; null for anything else. */
export function momentOf(value: unknown): Moment | null {
  const parts = typeof value === 'string' ? pattern.exec(value) : null
  if (parts === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const date = new Date(Date.UTC(year, month - 1, day))
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  // ISO 8601 knows the leap second, and 24:00 for the end of a day.
  const isTime = (hour < 24 || (hour === 24 && minute + second === 0)) && minute < 60 && second <= 60
  return {
    epochMs: Date.UTC(year, month - 1, day, hour, minute, second),
    exists: isDay && isTime,
    fraction: parts[7]?.length ?? 0,
    zone: /z/i.test(parts[8] ?? '') ? 'z' : 'offset',
  }
}
