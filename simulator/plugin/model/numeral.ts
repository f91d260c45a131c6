/** A JSON number split into its parts, so that its spelling can be checked as well as its value. */
export type Numeral = ReturnType<typeof readNumeral>

/** Enough for every comparison with 64 bits; more digits would only take time. */
const maxDigits = 1000

/** Parses a valid JSON number. */
export function readNumeral(text: string) {
  const [, sign, whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = whole + fraction
  const point = Math.min(Math.max(whole.length + Number(exponent ?? 0), 0), maxDigits)
  const before = digits.slice(0, point).padEnd(point, '0')
  const magnitude = BigInt(before || '0')
  return {
    /** Whether it is spelled with an exponent, like `9e8`. */
    hasExponent: exponent !== undefined,
    /** Whether it is spelled with a fraction, like `900000000.0`. */
    hasFraction: fraction !== '',
    /** Whether the value is an integer, however it is spelled. */
    isInteger: /^0*$/.test(digits.slice(point)) || magnitude >= 10n ** BigInt(maxDigits - 1),
    /** The value without its fraction, limited to a thousand digits. */
    integer: sign === '-' ? -magnitude : magnitude,
  }
}
