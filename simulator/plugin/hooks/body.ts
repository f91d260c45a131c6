import { decodeText, type Members, membersOf, replaceText } from '../../server/body.ts'
import { Dropped, ErrorResponse, type Rejection } from '../../server/error-response.ts'
import { readJson } from '../../server/json.ts'
import type { Rule } from '../model/rule.ts'
import type { Profile } from '../profile/profile.ts'
import { fillIn, type Wording } from '../profile/wording.ts'

/** How the body of a request is read (clause 4.2, 8). */
export interface BodyHooks {
  readonly bodyLimitBytes: number
  readonly oversized: () => Rejection
  /** The body, from the packets in which it arrived. */
  readonly joinBody: (packets: readonly Uint8Array[]) => Uint8Array
  /** The bytes to use of a body that was cut off. @throws Dropped, since the client has gone */
  readonly brokenOff: (bytes: Uint8Array) => Uint8Array
  /** Judges the Content-Type of a POST. */
  readonly judgeContentType: (contentType: string | undefined) => ErrorResponse | undefined
  /** @throws ErrorResponse if the bytes are not valid UTF-8 */
  readonly decodeText: (bytes: Uint8Array) => string
  readonly stripByteOrderMark: (text: string) => string
  /** @throws ErrorResponse if the text is not valid JSON */
  readonly parseJson: (text: string) => unknown
  /** @throws ErrorResponse if the value is not a JSON object */
  readonly membersOf: (value: unknown) => Members
  readonly judgeMemberNames: (names: readonly string[]) => ErrorResponse | undefined
  /** The value of a field. @throws ErrorResponse if it is missing */
  readonly fieldOf: (members: Members, field: keyof Rule) => unknown
  /** Judges the body of a DELETE. */
  readonly judgeDeleteBody: (bytes: Uint8Array) => ErrorResponse | undefined
}

const mebibyte = 1024 * 1024
/** The limit where large bodies are accepted, so that a body cannot use up the memory. */
const generousLimitBytes = 64 * mebibyte
const fields: readonly string[] = ['master', 'follower', 'mode', 'value', 'direction']

export function bodyHooks(profile: Profile, wording: Wording): BodyHooks {
  const { errorTexts } = wording
  const sizeLimit = profile['plugin.body.size-limit']
  return {
    bodyLimitBytes: sizeLimit === 'accepted' ? generousLimitBytes : mebibyte,
    oversized: () =>
      sizeLimit === 'closed'
        ? new Dropped()
        : new ErrorResponse(sizeLimit === '413' ? 413 : 400, errorTexts['body-too-large']),
    joinBody: (packets) => Buffer.concat(packets),
    brokenOff: () => {
      throw new Dropped('The body was cut off.')
    },
    judgeContentType: contentTypeJudge(profile, wording),
    decodeText:
      profile['plugin.body.invalid-utf-8'] === 'refused'
        ? (bytes) => decodeText(bytes, errorTexts['invalid-utf-8'])
        : replaceText,
    stripByteOrderMark:
      profile['plugin.body.byte-order-mark'] === 'accepted' ? (text) => text.replace(/^\uFEFF/, '') : (text) => text,
    parseJson: (text) => readJson(text, profile['plugin.body.duplicate-member'], errorTexts),
    membersOf: memberReader(profile, wording),
    judgeMemberNames: (names) =>
      profile['plugin.body.unknown-member'] === 'ignored' || names.every((name) => fields.includes(name))
        ? undefined
        : new ErrorResponse(400, errorTexts['unknown-member']),
    fieldOf: (members, field) => {
      // Own members only, without inherited ones such as `constructor`.
      if (!Object.hasOwn(members, field)) throw new ErrorResponse(400, fillIn(errorTexts['missing-field'], { field }))
      return members[field]
    },
    judgeDeleteBody: (bytes) =>
      profile['plugin.body.on-delete'] === 'ignored' || bytes.length === 0
        ? undefined
        : new ErrorResponse(400, errorTexts['body-on-delete']),
  }
}

function memberReader(profile: Profile, { errorTexts }: Wording): BodyHooks['membersOf'] {
  const read = (value: unknown) => membersOf(value, errorTexts['no-object'])
  if (profile['plugin.body.member-case'] === 'sensitive') return read
  const known = (name: string) => (fields.includes(name.toLowerCase()) ? name.toLowerCase() : name)
  return (value) => Object.fromEntries(Object.entries(read(value)).map(([name, member]) => [known(name), member]))
}

function contentTypeJudge(profile: Profile, { errorTexts }: Wording): BodyHooks['judgeContentType'] {
  const absent = profile['plugin.body.content-type-absent']
  const wrong = profile['plugin.body.content-type-wrong']
  return (contentType = '') => {
    const media = contentType.split(';')[0]?.trim().toLowerCase()
    if (media === 'application/json') return undefined
    const [answer, text] =
      media === '' ? [absent, errorTexts['content-type-absent']] : [wrong, errorTexts['content-type-wrong']]
    return answer === 'accepted' ? undefined : new ErrorResponse(Number(answer), text)
  }
}
