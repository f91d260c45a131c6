import { randomBytes } from 'node:crypto'

/** A key pair for a platform in this process. */
export function randomKeyPair(): { readonly key: string; readonly secret: string } {
  return {
    key: `bk_test_${randomBytes(20).toString('hex')}`,
    secret: randomBytes(48).toString('hex'),
  }
}
