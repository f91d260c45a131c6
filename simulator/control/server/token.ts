import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { InvalidOptionError } from '../../server/check-option.ts'

/** The given token, or a random one. @throws InvalidOptionError */
export function resolveToken(given: string | undefined): string {
  if (given === undefined) return randomBytes(24).toString('base64url')
  if (/^[\x21-\x7e]{16,}$/.test(given)) return given
  throw new InvalidOptionError(
    'The control token (the option `token`, or TCK_CONTROL_TOKEN)',
    '16 or more printable ASCII characters without spaces',
  )
}

/** Whether the Authorization header holds the token, compared in constant time. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
