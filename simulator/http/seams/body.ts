import type { Rule } from '../../model/rule.ts'
import type { Profile } from '../../profile/profile.ts'
import { decodeText, type Members, membersOf, replaceText } from '../../server/body.ts'
import { readJson } from '../../server/json.ts'
import { type Denial, Dropped, Refusal } from '../../server/refusal.ts'

/** How the body of a request is read (clause 4.2, 8). */
export interface BodySeams {
  readonly bodyLimitBytes: number
  readonly oversized: () => Denial
  /** What counts of a body that broke off. @throws Dropped, as a client that left waits for no answer. */
  readonly brokenOff: (bytes: Uint8Array) => Uint8Array
  /** Judges the Content-Type of a POST. */
  readonly judgeContentType: (contentType: string | undefined) => Refusal | undefined
  /** @throws Refusal where the bytes are no UTF-8. */
  readonly decodeText: (bytes: Uint8Array) => string
  readonly stripByteOrderMark: (text: string) => string
  /** @throws Refusal where the text is no JSON. */
  readonly parseJson: (text: string) => unknown
  /** @throws Refusal where the JSON value has no members. */
  readonly membersOf: (value: unknown) => Members
  readonly judgeMemberNames: (names: readonly string[]) => Refusal | undefined
  /** The value of a field, which the body must name itself. @throws Refusal where it is missing. */
  readonly fieldOf: (members: Members, field: keyof Rule) => unknown
  /** Judges the body of a DELETE. */
  readonly judgeDeleteBody: (bytes: Uint8Array) => Refusal | undefined
}

const mebibyte = 1024 * 1024
/** Not unlimited where large bodies are accepted: a body may not take all memory. */
const generousLimitBytes = 64 * mebibyte
const fields: readonly string[] = ['master', 'follower', 'mode', 'value', 'direction']

export function bodySeams(profile: Profile): BodySeams {
  const sizeLimit = profile['plugin.body.size-limit']
  return {
    bodyLimitBytes: sizeLimit === 'accepted' ? generousLimitBytes : mebibyte,
    oversized: () =>
      sizeLimit === 'closed' ? new Dropped() : new Refusal(sizeLimit === '413' ? 413 : 400, 'The body is too large.'),
    brokenOff: () => {
      throw new Dropped('The body was cut off.')
    },
    judgeContentType: contentTypeJudge(profile),
    decodeText: profile['plugin.body.invalid-utf-8'] === 'refused' ? decodeText : replaceText,
    stripByteOrderMark:
      profile['plugin.body.byte-order-mark'] === 'accepted' ? (text) => text.replace(/^\uFEFF/, '') : (text) => text,
    parseJson: (text) => readJson(text, profile['plugin.body.duplicate-member']),
    membersOf,
    judgeMemberNames: (names) =>
      profile['plugin.body.unknown-member'] === 'ignored' || names.every((name) => fields.includes(name))
        ? undefined
        : new Refusal(400, `The body has an unknown member. Its members are: ${fields.join(', ')}.`),
    fieldOf: (members, field) => {
      // Own members only: `constructor` and the like are none.
      if (!Object.hasOwn(members, field)) throw new Refusal(400, `${field} is missing.`)
      return members[field]
    },
    judgeDeleteBody: (bytes) =>
      profile['plugin.body.on-delete'] === 'ignored' || bytes.length === 0
        ? undefined
        : new Refusal(400, 'A DELETE must not carry a body.'),
  }
}

function contentTypeJudge(profile: Profile): BodySeams['judgeContentType'] {
  const absent = profile['plugin.body.content-type-absent']
  const wrong = profile['plugin.body.content-type-wrong']
  return (contentType = '') => {
    const media = contentType.split(';')[0]?.trim().toLowerCase()
    if (media === 'application/json') return undefined
    const answer = media === '' ? absent : wrong
    return answer === 'accepted' ? undefined : new Refusal(Number(answer), 'The Content-Type must be application/json.')
  }
}
