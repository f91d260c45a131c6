import { decodeText, type Members, membersOf, replaceText } from '../../server/body.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import { readJson } from '../../server/json.ts'
import type { Rule } from '../model/rule.ts'
import type { Profile } from '../profile/profile.ts'
import { fillIn, type Wording } from '../profile/wording.ts'

const fields: readonly string[] = ['master', 'follower', 'mode', 'value', 'direction']

/** How the body of a request is read (clause 4.2, 8). */
export function bodyHooks(profile: Profile, wording: Wording) {
  const { errorTexts } = wording
  return {
    /** Judges the Content-Type of a POST. */
    judgeContentType: contentTypeJudge(profile, wording),
    /** @throws ErrorResponse if the bytes are not valid UTF-8 */
    decodeText: (bytes: Uint8Array): string =>
      profile['plugin.body.invalid-utf-8'] === 'refused'
        ? decodeText(bytes, errorTexts['invalid-utf-8'])
        : replaceText(bytes),
    stripByteOrderMark: (text: string): string =>
      profile['plugin.body.byte-order-mark'] === 'accepted' ? text.replace(/^\uFEFF/, '') : text,
    /** @throws ErrorResponse if the text is not valid JSON */
    parseJson: (text: string): unknown => readJson(text, profile['plugin.body.duplicate-member'], errorTexts),
    /** @throws ErrorResponse if the value is not a JSON object */
    membersOf: memberReader(profile, wording),
    judgeMemberNames: (names: readonly string[]): ErrorResponse | undefined =>
      profile['plugin.body.unknown-member'] === 'ignored' || names.every((name) => fields.includes(name))
        ? undefined
        : new ErrorResponse(400, errorTexts['unknown-member']),
    /** The value of a field. @throws ErrorResponse if it is missing */
    fieldOf: (members: Members, field: keyof Rule): unknown => {
      // Own members only, without inherited ones such as `constructor`.
      if (!Object.hasOwn(members, field)) throw new ErrorResponse(400, fillIn(errorTexts['missing-field'], { field }))
      return members[field]
    },
    /** Judges the body of a DELETE. */
    judgeDeleteBody: (bytes: Uint8Array): ErrorResponse | undefined =>
      profile['plugin.body.on-delete'] === 'ignored' || bytes.length === 0
        ? undefined
        : new ErrorResponse(400, errorTexts['body-on-delete']),
  }
}

function memberReader(profile: Profile, { errorTexts }: Wording): (value: unknown) => Members {
  const read = (value: unknown) => membersOf(value, errorTexts['no-object'])
  if (profile['plugin.body.member-case'] === 'sensitive') return read
  const known = (name: string) => (fields.includes(name.toLowerCase()) ? name.toLowerCase() : name)
  return (value) => Object.fromEntries(Object.entries(read(value)).map(([name, member]) => [known(name), member]))
}

function contentTypeJudge(profile: Profile, { errorTexts }: Wording) {
  const absent = profile['plugin.body.content-type-absent']
  const wrong = profile['plugin.body.content-type-wrong']
  return (contentType: string | undefined): ErrorResponse | undefined => {
    const media = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (media === 'application/json') return undefined
    const [answer, text] =
      media === '' ? [absent, errorTexts['content-type-absent']] : [wrong, errorTexts['content-type-wrong']]
    return answer === 'accepted' ? undefined : new ErrorResponse(Number(answer), text)
  }
}
