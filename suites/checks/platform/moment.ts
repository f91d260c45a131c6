/** A date and time as it was written. */
export interface Moment {
  readonly epochMs: number
  readonly exists: boolean
  /** Digits of the fraction of a second. */
  readonly fraction: number
  /** How UTC is written. */
  readonly zone: 'z' | 'offset'
}

// The extended or basic format of ISO 8601. The date is a day of a month, year or week. The time may end
// with the minute or the hour, and the last part may have a fraction. The zone is Z or a zero offset.
const day =
  '(?<year>\\d{4})(?:-?(?<month>\\d{2})-?(?<date>\\d{2})|-?(?<dayOfYear>\\d{3})|-?W(?<week>\\d{2})-?(?<weekday>[1-7]))'
const time = '(?<hour>\\d{2})(?::?(?<minute>\\d{2})(?::?(?<second>\\d{2}))?)?(?:[.,](?<fraction>\\d+))?'
const pattern = new RegExp(`^${day}T${time}(?<zone>Z|[+-]00(?::?00)?)$`, 'i')

const dayMs = 86_400_000

type Parts = Readonly<Record<string, string | undefined>>

/** Reads a date and time of ISO 8601 in UTC; null for anything else. */
export function momentOf(value: unknown): Moment | null {
  const parts: Parts | undefined = typeof value === 'string' ? pattern.exec(value)?.groups : undefined
  if (parts === undefined) return null
  const { startMs, isDay } = dayOf(parts)
  const [hour = 0, minute = 0, second = 0] = [parts.hour, parts.minute, parts.second].map((part) => Number(part ?? 0))
  // ISO 8601 allows a leap second, and 24:00 for the end of a day.
  const isTime = (hour < 24 || (hour === 24 && minute + second === 0)) && minute < 60 && second <= 60
  return {
    epochMs: startMs + ((hour * 60 + minute) * 60 + second) * 1_000,
    exists: isDay && isTime,
    fraction: parts.second === undefined ? 0 : (parts.fraction?.length ?? 0),
    zone: /z/i.test(parts.zone ?? '') ? 'z' : 'offset',
  }
}

function dayOf({ year: y, month, date, dayOfYear, week, weekday }: Parts): { startMs: number; isDay: boolean } {
  const year = Number(y)
  if (dayOfYear !== undefined) {
    const startMs = Date.UTC(year, 0, Number(dayOfYear))
    return { startMs, isDay: new Date(startMs).getUTCFullYear() === year }
  }
  if (week !== undefined) {
    const startMs = firstWeekMs(year) + ((Number(week) - 1) * 7 + Number(weekday) - 1) * dayMs
    return { startMs, isDay: startMs >= firstWeekMs(year) && startMs < firstWeekMs(year + 1) }
  }
  const startMs = Date.UTC(year, Number(month) - 1, Number(date))
  const found = new Date(startMs)
  return { startMs, isDay: found.getUTCMonth() === Number(month) - 1 && found.getUTCDate() === Number(date) }
}

/** The Monday of the week that contains January 4th. */
function firstWeekMs(year: number): number {
  const fourthMs = Date.UTC(year, 0, 4)
  return fourthMs - ((new Date(fourthMs).getUTCDay() + 6) % 7) * dayMs
}
