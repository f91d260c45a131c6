import { decodeText, type Members, membersOf, readJson } from '../../server/json.ts'
import { ErrorResponse } from '../../server/response.ts'
import { termNames } from '../model/trading-account.ts'
import type { PlatformProfile } from '../profile/profile.ts'

const fields: readonly string[] = termNames

/** How the body of a creation is read (clause 4.1, 8). */
export function bodyHooks(profile: PlatformProfile) {
  const invalidJson = Number(profile['platform.errors.invalid-json'])
  const unknownMember = profile['platform.create.unknown-member']
  return {
    /** Judges the Content-Type of a GET. */
    judgeReadContentType: (contentType: string | undefined): ErrorResponse | undefined =>
      judged(contentType, profile['platform.account.content-type-absent'], ''),
    /** Judges the Content-Type of a POST. */
    judgeContentType: (contentType = ''): ErrorResponse | undefined =>
      contentType === ''
        ? judged(undefined, profile['platform.create.content-type-absent'], '')
        : judged(contentType, profile['platform.create.content-type-wrong'], 'application/json'),
    /** @throws ErrorResponse if the bytes are not valid UTF-8 */
    decodeText: (bytes: Uint8Array): string => withStatus(invalidJson, () => decodeText(bytes)),
    /** @throws ErrorResponse if the text is not valid JSON */
    parseJson: (text: string): unknown => withStatus(invalidJson, () => readJson(text, 'last')),
    /** @throws ErrorResponse if the value is not a JSON object */
    membersOf: (value: unknown): Members =>
      withStatus(Number(profile['platform.errors.not-an-object']), () => membersOf(value)),
    judgeMemberNames: (names: readonly string[]): ErrorResponse | undefined =>
      unknownMember === 'ignored' || names.every((name) => fields.includes(name))
        ? undefined
        : new ErrorResponse(
            Number(unknownMember),
            `The body has an unknown member. Its members are: ${fields.join(', ')}.`,
          ),
    /** The value of a field; undefined if it is missing. Own members only, without inherited ones such as `constructor`. */
    fieldOf: (members: Members, field: string): unknown => (Object.hasOwn(members, field) ? members[field] : undefined),
  }
}

/** If `wanted` is empty, any type is accepted, but a missing one is not. */
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
