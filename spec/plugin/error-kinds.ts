import type { PluginQuestionId } from './questions.ts'

/**
 * A kind of error with its own error text. The specification defines the body as
 * `{ error: string }` and leaves the text open (clause 7).
 */
export interface ErrorKind {
  /** Permanent name, e.g. `missing-field`. */
  readonly id: string
  readonly status: string
  /** The request that causes the error. */
  readonly situation: string
  /** What the text may name: the wrong field, the method and path of the request, or those and the allowed methods. */
  readonly names?: 'field' | 'request' | 'allow'
  /** The error occurs only if the server gives one of these answers to the question. */
  readonly when?: { readonly question: PluginQuestionId; readonly answers: readonly string[] }
}

/** For an error that occurs only if the server gives one of these answers to the question. */
function when(question: PluginQuestionId, ...answers: readonly string[]): Pick<ErrorKind, 'when'> {
  return { when: { question, answers } }
}

/** The same for the answer `refused`, with an error that names the field. */
function refusedField(question: PluginQuestionId): Pick<ErrorKind, 'names' | 'when'> {
  return { names: 'field', ...when(question, 'refused') }
}

type Row = readonly [status: string, situation: string, more?: Pick<ErrorKind, 'names' | 'when'>]

const rows = {
  'unauthorized': ['401', 'a request without a key'],
  'unknown-endpoint': ['404', 'an unknown path', { names: 'request' }],
  'invalid-index': ['404', 'DELETE with an index that no rule has'],
  'method-not-allowed': ['405', 'a wrong method on a known path', { names: 'allow' }],
  'invalid-json': ['400', 'a body that is not valid JSON'],
  'no-object': ['400', 'a body with valid JSON that is not an object'],
  'missing-field': ['400', 'a body without one of the five fields', { names: 'field' }],
  'login-no-integer': ['400', 'a login that is not a number', { names: 'field' }],
  'mode-no-string': ['400', 'a mode that is not a string'],
  'mode-unknown': ['400', 'an unknown mode'],
  'value-no-number': ['400', 'a value that is not a number'],
  'value-not-positive': ['400', 'value 0'],
  'direction-no-string': ['400', 'a direction that is not a string'],
  'direction-unknown': ['400', 'an unknown direction'],
  'capacity-reached': ['500', 'a rule beyond the capacity'],
  'unknown-member': ['400', 'a body with an unknown field', when('plugin.body.unknown-member', 'refused')],
  'duplicate-member': ['400', 'a body with a duplicate field', when('plugin.body.duplicate-member', 'refused')],
  'content-type-absent': [
    '400 or 415',
    'a body without Content-Type',
    when('plugin.body.content-type-absent', '400', '415'),
  ],
  'content-type-wrong': [
    '400 or 415',
    'a body with another Content-Type',
    when('plugin.body.content-type-wrong', '400', '415'),
  ],
  'invalid-utf-8': ['400', 'a body that is not valid UTF-8', when('plugin.body.invalid-utf-8', 'refused')],
  'body-too-large': ['400 or 413', 'a body that is too large', when('plugin.body.size-limit', '400', '413')],
  'body-on-delete': ['400', 'DELETE with a body', when('plugin.body.on-delete', 'refused')],
  'query': ['400', 'a query string on a known path', when('plugin.path.query', 'refused')],
  'index-query': ['400 or 404', 'a query string after an index', when('plugin.index.query', 'refused')],
  'method-lower-case': ['400 or 501', 'a method in lower case', when('plugin.method.lower-case', '400', '501')],
  'method-unknown': ['400 or 501', 'a method that HTTP does not define', when('plugin.method.unknown', '400', '501')],
  'duplicate-rule': ['400', 'a rule that is already in the list', when('plugin.add.duplicate', 'refused')],
  'same-pair': ['400', 'a second rule for the same master and follower', when('plugin.add.same-pair', 'refused')],
  'self-copy': ['400', 'a rule whose master equals its follower', when('plugin.add.self-copy', 'refused')],
  'login-zero': ['400', 'login 0', refusedField('plugin.login.zero')],
  'login-negative': ['400', 'a negative login', refusedField('plugin.login.negative')],
  'login-above-31-bits': ['400', 'a login above 2^31', refusedField('plugin.login.above-31-bits')],
  'login-above-53-bits': ['400', 'a login above 2^53', refusedField('plugin.login.above-53-bits')],
  'login-above-64-bits': ['400', 'a login above 2^64', refusedField('plugin.login.above-64-bits')],
  'login-fractional': ['400', 'a login with a fraction', { names: 'field' }],
  'login-zero-fraction': ['400', 'a login with a zero fraction', refusedField('plugin.login.zero-fraction')],
  'login-exponent': ['400', 'a login in exponent notation', refusedField('plugin.login.exponent')],
  'value-smallest': ['400', 'a very small value', when('plugin.value.smallest', 'refused')],
  'value-largest': ['400', 'a very large value', when('plugin.value.largest', 'refused')],
  'value-overflow': ['400', 'a value that is too large for a double', when('plugin.value.overflow', 'refused')],
} satisfies Readonly<Record<string, Row>>

export type PluginErrorKindId = keyof typeof rows

/** Every kind of error that a request to the plugin can cause. */
export const pluginErrorKinds = Object.entries<Row>(rows).map(([id, [status, situation, more]]) => ({
  id: id as PluginErrorKindId,
  status,
  situation,
  ...more,
}))
