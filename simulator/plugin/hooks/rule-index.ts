import { ErrorResponse } from '../../server/response.ts'
import type { Profile } from '../profile/profile.ts'
import type { Wording } from '../profile/wording.ts'

/** How positions in the list and indices are converted (clause 2.3, 4.2). */
export function indexHooks(profile: Profile, { errorTexts }: Wording) {
  const base = Number(profile['plugin.index.base'])
  const normalise = indexNormaliser(profile)
  const pattern = indexPattern(profile)
  return {
    /** The index in the last segment; undefined if it is not an index. */
    parseIndex: (text: string): number | undefined => {
      const digits = pattern.exec(normalise(text))?.[1]
      return digits === undefined ? undefined : Number(digits.replaceAll('_', ''))
    },
    /** Converts the index that clients use to the position in the list, counted from 0. */
    positionOf: (index: number): number => index - base,
    /** Converts the position in the list to the index that clients see. */
    indexOf: (position: number): number => position + base,
    /** The index that the response to POST reports. */
    reportedIndex: (position: number, _total: number): number => position + base,
    invalidIndex: (): ErrorResponse => new ErrorResponse(404, errorTexts['invalid-index']),
  }
}

function indexPattern(profile: Profile): RegExp {
  // Without percent-decoding the space is still encoded.
  const space = profile['plugin.path.percent-encoding'] === 'decoded' ? ' *' : '(?:%20)*'
  const before = profile['plugin.index.space'] === 'accepted' ? space : ''
  const behind = profile['plugin.index.space-behind'] === 'accepted' ? space : ''
  const sign = profile['plugin.index.plus-sign'] === 'accepted' ? '\\+?' : ''
  const digits = profile['plugin.index.leading-zero'] === 'accepted' ? '\\d+' : '0|[1-9]\\d*'
  const joined = profile['plugin.index.underscore'] === 'accepted' ? '|\\d+(?:_\\d+)+' : ''
  return new RegExp(`^${before}${sign}(${digits}${joined})${behind}$`)
}

const arabicZero = 0x660

/** Reads Arabic-Indic digits as ASCII digits, if the profile says so. */
function indexNormaliser(profile: Profile): (text: string) => string {
  if (profile['plugin.index.other-digits'] === 'refused') return (text) => text
  const toAscii = (text: string) =>
    text.replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - arabicZero))
  if (profile['plugin.path.percent-encoding'] === 'decoded') return toAscii
  return (text) => text.replace(/(?:%D9%A\d)+/gi, (encoded) => toAscii(decodeURIComponent(encoded)))
}
