import { decodeText, type Members, membersOf } from '../../server/body.ts'
import { Dropped, ErrorResponse, type Rejection } from '../../server/error-response.ts'
import { readJson } from '../../server/json.ts'
import type { PlatformProfile } from '../profile/profile.ts'

/** How the body of a creation is read (clause 4.1, 8). */
export interface BodyHooks {
  readonly bodyLimitBytes: number
  readonly oversized: () => Rejection
  /** The body, from the packets in which it arrived. */
  readonly joinBody: (packets: readonly Uint8Array[]) => Uint8Array
  /** The bytes to use of a body that was cut off. @throws Dropped, since the client has gone */
  readonly brokenOff: (bytes: Uint8Array) => Uint8Array
  /** Judges the Content-Type of a GET. */
  readonly judgeReadContentType: (contentType: string | undefined) => ErrorResponse | undefined
  /** Judges the Content-Type of a POST. */
  readonly judgeContentType: (contentType: string | undefined) => ErrorResponse | undefined
  /** @throws ErrorResponse if the bytes are not valid UTF-8 */
  readonly decodeText: (bytes: Uint8Array) => string
  /** @throws ErrorResponse if the text is not valid JSON */
  readonly parseJson: (text: string) => unknown
  /** @throws ErrorResponse if the value is not a JSON object */
  readonly membersOf: (value: unknown) => Members
  readonly judgeMemberNames: (names: readonly string[]) => ErrorResponse | undefined
  /** The value of a field; undefined if it is missing. */
  readonly fieldOf: (members: Members, field: string) => unknown
}

const mebibyte = 1024 * 1024
/** The limit where large bodies are accepted, so that a body cannot use up the memory. */
const generousLimitBytes = 64 * mebibyte
const fields: readonly string[] = ['name', 'group', 'leverage', 'currency', 'balance']

export function bodyHooks(profile: PlatformProfile): BodyHooks {
  const sizeLimit = profile['platform.create.size-limit']
  const invalidJson = Number(profile['platform.errors.invalid-json'])
  const unknownMember = profile['platform.create.unknown-member']
  return {
    bodyLimitBytes: sizeLimit === 'accepted' ? generousLimitBytes : mebibyte,
    oversized: () =>
      sizeLimit === 'closed' ? new Dropped() : new ErrorResponse(Number(sizeLimit), 'The body is too large.'),
    joinBody: (packets) => Buffer.concat(packets),
    brokenOff: () => {
      throw new Dropped('The body was cut off.')
    },
    judgeReadContentType: (contentType) => judged(contentType, profile['platform.account.content-type-absent'], ''),
    judgeContentType: (contentType = '') =>
      contentType === ''
        ? judged(undefined, profile['platform.create.content-type-absent'], '')
        : judged(contentType, profile['platform.create.content-type-wrong'], 'application/json'),
    decodeText: (bytes) => withStatus(invalidJson, () => decodeText(bytes)),
    parseJson: (text) => withStatus(invalidJson, () => readJson(text, 'last')),
    membersOf: (value) => withStatus(Number(profile['platform.errors.not-an-object']), () => membersOf(value)),
    judgeMemberNames: (names) =>
      unknownMember === 'ignored' || names.every((name) => fields.includes(name))
        ? undefined
        : new ErrorResponse(
            Number(unknownMember),
            `The body has an unknown member. Its members are: ${fields.join(', ')}.`,
          ),
    // Own members only, without inherited ones such as `constructor`.
    fieldOf: (members, field) => (Object.hasOwn(members, field) ? members[field] : undefined),
  }
}

/** An empty wanted type accepts any type, but not a missing one. */
function judged(contentType: string | undefined, answer: string, wanted: string): ErrorResponse | undefined {
  const media = contentType?.split(';')[0]?.trim().toLowerCase()
  const fits = wanted === '' ? media !== undefined : media === wanted
  if (fits || answer === 'accepted') return undefined
  return new ErrorResponse(Number(answer), 'The Content-Type must be application/json.')
}

function withStatus<Result>(status: number, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw error instanceof ErrorResponse ? new ErrorResponse(status, error.message) : error
  }
}
