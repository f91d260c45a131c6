import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The control token cannot be used. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError'
  readonly hint = 'Use 16 or more printable ASCII characters without spaces, or omit the token to get a random one.'
}

/** The given token, or a random one. @throws InvalidTokenError */
export function resolveToken(given: string | undefined): string {
  if (given === undefined) return randomBytes(24).toString('base64url')
  if (/^[\x21-\x7e]{16,}$/.test(given)) return given
  throw new InvalidTokenError('The control token is too short or has characters that a header cannot carry.')
}

/** Whether the Authorization header holds the token, compared in constant time. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
