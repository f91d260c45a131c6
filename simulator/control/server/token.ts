import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A token that cannot serve. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError'
  readonly hint = 'Use 16 or more letters, digits and signs of ASCII, without spaces, or leave it out to have one made.'
}

/** The token that was given, or a fresh one. @throws InvalidTokenError */
export function resolveToken(given: string | undefined): string {
  if (given === undefined) return randomBytes(24).toString('base64url')
  if (/^[\x21-\x7e]{16,}$/.test(given)) return given
  throw new InvalidTokenError('The control token is too short or has characters that no header can carry.')
}

/** Whether a header `Authorization: Bearer …` has the token. Takes the same time whatever is in it. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
