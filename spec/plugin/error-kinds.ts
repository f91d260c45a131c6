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

function when(question: PluginQuestionId, ...answers: readonly string[]): NonNullable<ErrorKind['when']> {
  return { question, answers }
}

/** Every kind of error that a request to the plugin can cause. */
export const pluginErrorKinds = [
  { id: 'unauthorized', status: '401', situation: 'a request without a key' },
  { id: 'unknown-endpoint', status: '404', situation: 'an unknown path', names: 'request' },
  { id: 'invalid-index', status: '404', situation: 'DELETE with an index that no rule has' },
  { id: 'method-not-allowed', status: '405', situation: 'a wrong method on a known path', names: 'allow' },
  { id: 'invalid-json', status: '400', situation: 'a body that is not valid JSON' },
  { id: 'no-object', status: '400', situation: 'a body with valid JSON that is not an object' },
  { id: 'missing-field', status: '400', situation: 'a body without one of the five fields', names: 'field' },
  { id: 'login-no-integer', status: '400', situation: 'a login that is not a number', names: 'field' },
  { id: 'mode-unknown', status: '400', situation: 'an unknown mode' },
  { id: 'value-no-number', status: '400', situation: 'a value that is not a number' },
  { id: 'value-not-positive', status: '400', situation: 'value 0' },
  { id: 'direction-unknown', status: '400', situation: 'an unknown direction' },
  { id: 'capacity-reached', status: '500', situation: 'a rule beyond the capacity' },
  {
    id: 'unknown-member',
    status: '400',
    situation: 'a body with an unknown field',
    when: when('plugin.body.unknown-member', 'refused'),
  },
  {
    id: 'duplicate-member',
    status: '400',
    situation: 'a body with a duplicate field',
    when: when('plugin.body.duplicate-member', 'refused'),
  },
  {
    id: 'content-type-absent',
    status: '400 or 415',
    situation: 'a body without Content-Type',
    when: when('plugin.body.content-type-absent', '400', '415'),
  },
  {
    id: 'content-type-wrong',
    status: '400 or 415',
    situation: 'a body with another Content-Type',
    when: when('plugin.body.content-type-wrong', '400', '415'),
  },
  {
    id: 'invalid-utf-8',
    status: '400',
    situation: 'a body that is not valid UTF-8',
    when: when('plugin.body.invalid-utf-8', 'refused'),
  },
  {
    id: 'body-too-large',
    status: '400 or 413',
    situation: 'a body that is too large',
    when: when('plugin.body.size-limit', '400', '413'),
  },
  {
    id: 'body-on-delete',
    status: '400',
    situation: 'DELETE with a body',
    when: when('plugin.body.on-delete', 'refused'),
  },
  {
    id: 'query',
    status: '400',
    situation: 'a query string on a known path',
    when: when('plugin.path.query', 'refused'),
  },
  {
    id: 'index-query',
    status: '400 or 404',
    situation: 'a query string after an index',
    when: when('plugin.index.query', 'refused'),
  },
  {
    id: 'method-lower-case',
    status: '400 or 501',
    situation: 'a method in lower case',
    when: when('plugin.method.lower-case', '400', '501'),
  },
  {
    id: 'method-unknown',
    status: '400 or 501',
    situation: 'a method that HTTP does not define',
    when: when('plugin.method.unknown', '400', '501'),
  },
  {
    id: 'duplicate-rule',
    status: '400',
    situation: 'a rule that is already in the list',
    when: when('plugin.add.duplicate', 'refused'),
  },
  {
    id: 'same-pair',
    status: '400',
    situation: 'a second rule for the same master and follower',
    when: when('plugin.add.same-pair', 'refused'),
  },
  {
    id: 'self-copy',
    status: '400',
    situation: 'a rule whose master equals its follower',
    when: when('plugin.add.self-copy', 'refused'),
  },
  {
    id: 'login-zero',
    status: '400',
    situation: 'login 0',
    names: 'field',
    when: when('plugin.login.zero', 'refused'),
  },
  {
    id: 'login-negative',
    status: '400',
    situation: 'a negative login',
    names: 'field',
    when: when('plugin.login.negative', 'refused'),
  },
  {
    id: 'login-above-31-bits',
    status: '400',
    situation: 'a login above 2^31',
    names: 'field',
    when: when('plugin.login.above-31-bits', 'refused'),
  },
  {
    id: 'login-above-53-bits',
    status: '400',
    situation: 'a login above 2^53',
    names: 'field',
    when: when('plugin.login.above-53-bits', 'refused'),
  },
  {
    id: 'login-above-64-bits',
    status: '400',
    situation: 'a login above 2^64',
    names: 'field',
    when: when('plugin.login.above-64-bits', 'refused'),
  },
  {
    id: 'login-fractional',
    status: '400',
    situation: 'a login with a fraction',
    names: 'field',
  },
  {
    id: 'login-zero-fraction',
    status: '400',
    situation: 'a login with a zero fraction',
    names: 'field',
    when: when('plugin.login.zero-fraction', 'refused'),
  },
  {
    id: 'login-exponent',
    status: '400',
    situation: 'a login in exponent notation',
    names: 'field',
    when: when('plugin.login.exponent', 'refused'),
  },
  {
    id: 'value-smallest',
    status: '400',
    situation: 'a very small value',
    when: when('plugin.value.smallest', 'refused'),
  },
  {
    id: 'value-largest',
    status: '400',
    situation: 'a very large value',
    when: when('plugin.value.largest', 'refused'),
  },
  {
    id: 'value-overflow',
    status: '400',
    situation: 'a value that is too large for a double',
    when: when('plugin.value.overflow', 'refused'),
  },
] as const satisfies readonly ErrorKind[]

export type PluginErrorKindId = (typeof pluginErrorKinds)[number]['id']
