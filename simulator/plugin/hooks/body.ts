import { decodeText, type Members, membersOf, readJson } from '../../server/json.ts'
import { ErrorResponse, fillIn } from '../../server/response.ts'
import { type Rule, ruleMembers } from '../model/rule.ts'
import type { Profile } from '../profile/profile.ts'
import type { Wording } from '../profile/wording.ts'

/** How the body of a request is read (clause 4.2, 8). */
export function bodyHooks(profile: Profile, { errorTexts }: Wording) {
  return {
    judgeContentType: (contentType: string | undefined): ErrorResponse | undefined => {
      const media = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
      if (media === 'application/json') return undefined
      const kind = media === '' ? 'content-type-absent' : 'content-type-wrong'
      const answer = profile[`plugin.body.${kind}`]
      return answer === 'accepted' ? undefined : new ErrorResponse(Number(answer), errorTexts[kind])
    },
    /** @throws ErrorResponse if the bytes are not valid UTF-8 */
    decodeText: (bytes: Uint8Array): string =>
      profile['plugin.body.invalid-utf-8'] === 'refused'
        ? decodeText(bytes, errorTexts['invalid-utf-8'])
        : Buffer.from(bytes).toString(),
    stripByteOrderMark: (text: string): string =>
      profile['plugin.body.byte-order-mark'] === 'accepted' ? text.replace(/^\uFEFF/, '') : text,
    /** @throws ErrorResponse if the text is not valid JSON */
    parseJson: (text: string): unknown => readJson(text, profile['plugin.body.duplicate-member'], errorTexts),
    /** @throws ErrorResponse if the value is not a JSON object */
    membersOf: (value: unknown): Members => {
      const members = membersOf(value, errorTexts['no-object'])
      return profile['plugin.body.member-case'] === 'sensitive' ? members : withKnownNames(members)
    },
    judgeMemberNames: (names: readonly string[]): ErrorResponse | undefined =>
      profile['plugin.body.unknown-member'] === 'ignored' || names.every((name) => ruleMembers.includes(name))
        ? undefined
        : new ErrorResponse(400, errorTexts['unknown-member']),
    /** The value of a field. @throws ErrorResponse if it is missing */
    fieldOf: (members: Members, field: keyof Rule): unknown => {
      // Own members only, without inherited ones such as `constructor`.
      if (!Object.hasOwn(members, field)) throw new ErrorResponse(400, fillIn(errorTexts['missing-field'], { field }))
      return members[field]
    },
    judgeDeleteBody: (bytes: Uint8Array): ErrorResponse | undefined =>
      profile['plugin.body.on-delete'] === 'ignored' || bytes.length === 0
        ? undefined
        : new ErrorResponse(400, errorTexts['body-on-delete']),
  }
}

/** Fields in any case get the name of the field. */
function withKnownNames(members: Members): Members {
  const known = (name: string) => (ruleMembers.includes(name.toLowerCase()) ? name.toLowerCase() : name)
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [known(name), member]))
}
