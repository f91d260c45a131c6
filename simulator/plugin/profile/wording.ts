import type { PluginErrorKindId } from '../../../spec/plugin/error-kinds.ts'

/**
 * The text of each kind of error. `{field}` is replaced with the name of the wrong field, `{allow}` with the methods of
 * the path, `{method}` and `{path}` with those of the request.
 */
export type ErrorTexts = { readonly [Kind in PluginErrorKindId]: string }

/** Headers with values that the specification leaves open. */
export interface WordedHeaders {
  /** For every JSON response. */
  readonly 'Content-Type': string
  /** For a 401, if the profile includes it. */
  readonly 'WWW-Authenticate': string
}

/** The texts that the specification leaves to the server. */
export interface Wording {
  readonly errorTexts: ErrorTexts
  /** The reason phrase for each status. Default: the standard ones. */
  readonly reasonPhrases: Readonly<Record<string, string>>
  readonly headers: WordedHeaders
}

/** The options of the wording. */
export interface WordingOptions {
  readonly errorTexts?: Partial<ErrorTexts>
  readonly reasonPhrases?: Readonly<Record<string, string>>
  readonly headers?: Partial<WordedHeaders>
}

const defaultErrorTexts: ErrorTexts = {
  'unauthorized': 'The API key is missing or wrong.',
  'unknown-endpoint': 'Unknown endpoint.',
  'invalid-index': 'Invalid rule index: there is no rule at that index.',
  'method-not-allowed': 'Method not allowed. Allowed: {allow}.',
  'invalid-json': 'Invalid JSON.',
  'no-object': 'The body must be a JSON object.',
  'missing-field': '{field} is missing.',
  'login-no-integer': '{field} must be an integer.',
  'mode-no-string': 'mode must be "mult", "multiplier" or "fixed".',
  'mode-unknown': 'mode must be "mult", "multiplier" or "fixed".',
  'value-no-number': 'value must be a number.',
  'value-not-positive': 'value must be greater than 0.',
  'direction-no-string': 'direction must be "same" or "reverse".',
  'direction-unknown': 'direction must be "same" or "reverse".',
  'capacity-reached': 'The capacity is reached: no rule can be added.',
  'unknown-member': 'The body has an unknown member. Its members are: master, follower, mode, value, direction.',
  'duplicate-member': 'The body names a member twice.',
  'content-type-absent': 'The Content-Type must be application/json.',
  'content-type-wrong': 'The Content-Type must be application/json.',
  'invalid-utf-8': 'Invalid JSON: the body is not UTF-8.',
  'body-too-large': 'The body is too large.',
  'body-on-delete': 'A DELETE must not carry a body.',
  'query': 'A query string is not allowed.',
  'index-query': 'Invalid rule index: a query string is not allowed.',
  'method-lower-case': 'The method is unknown.',
  'method-unknown': 'The method is unknown.',
  'duplicate-rule': 'follower already has a rule with exactly this content.',
  'same-pair': 'follower already has a rule with this master.',
  'self-copy': 'follower must differ from master.',
  'login-zero': '{field} must not be 0.',
  'login-negative': '{field} must not be negative.',
  'login-above-31-bits': '{field} is out of range: the login cannot be stored.',
  'login-above-53-bits': '{field} is out of range: the login cannot be stored.',
  'login-above-64-bits': '{field} is out of range: the login cannot be stored.',
  'login-fractional': '{field} must be an integer without a fraction.',
  'login-zero-fraction': '{field} must be an integer without a fraction.',
  'login-exponent': '{field} must be an integer without an exponent.',
  'value-smallest': 'value is too small.',
  'value-largest': 'value is too large.',
  'value-overflow': 'value is too large to be stored.',
}

export const defaultWording: Wording = {
  errorTexts: defaultErrorTexts,
  reasonPhrases: {},
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'WWW-Authenticate': 'Bearer' },
}

/** The wording with all defaults. */
export function resolveWording({ errorTexts = {}, reasonPhrases = {}, headers = {} }: WordingOptions): Wording {
  return {
    errorTexts: { ...defaultErrorTexts, ...errorTexts },
    reasonPhrases,
    headers: { ...defaultWording.headers, ...headers },
  }
}
