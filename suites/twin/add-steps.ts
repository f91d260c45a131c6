import type { PluginQuestionId } from '../../spec/plugin/questions.ts'
import type { Draft } from '../model/rule.ts'
import { type PluginRequest, toJson } from '../session/plugin.ts'
import type { ComparisonStep } from './comparison-step.ts'

const mebibyte = 1024 * 1024
const aboutAdding = ['plugin.add.*', 'plugin.errors.*', 'plugin.rule.*'] as const

const post = (body: string | Buffer, more: Partial<PluginRequest> = {}): PluginRequest => ({
  method: 'POST',
  path: '/api/rules',
  body,
  ...more,
})

/** A rule as JSON in which one value has a notation that `JSON.stringify` would not write. */
function spelled(draft: Draft, field: keyof Draft, text: string): string {
  return toJson({ ...draft, [field]: 'REPLACED' }).replace('"REPLACED"', text)
}

type BodyFactory = (draft: Draft) => string | Buffer | PluginRequest

/** Adds one unusual rule. */
function unusual(id: string, make: BodyFactory, question?: PluginQuestionId): ComparisonStep {
  return {
    id: `add.${id}`,
    risk: 'write',
    ...(question === undefined ? {} : { question }),
    requirements: aboutAdding,
    play: (pair) => {
      const made = make(pair.draft())
      return pair.send(typeof made === 'string' || Buffer.isBuffer(made) ? post(made) : made)
    },
  }
}

/** Adds a rule, and then another derived from it. */
function second(id: string, question: PluginQuestionId, make: (first: Draft) => Draft): ComparisonStep {
  return {
    id: `add.${id}`,
    risk: 'write',
    question,
    requirements: aboutAdding,
    async play(pair) {
      const first = pair.draft({ value: 1 })
      await pair.send(post(toJson(first)))
      await pair.send(post(toJson(make(first))))
    },
  }
}

const needsKey = ['plugin.auth.changes-need-key', 'plugin.auth.*'] as const
const fields = ['master', 'follower', 'mode', 'value', 'direction'] as const
const modes = ['mult', 'multiplier', 'fixed'] as const
const values = [0.01, 1, 1.5, 12.75, 100_000, 1e-3] as const

/** Steps that add a rule or try to. */
export const addSteps: readonly ComparisonStep[] = [
  {
    id: 'add',
    risk: 'write',
    question: 'plugin.add.position',
    requirements: aboutAdding,
    async play(pair, n) {
      // Two rules show where the second one is inserted.
      await pair.send(post(toJson(pair.draft())))
      const changes = {
        mode: modes[n % modes.length] ?? 'mult',
        value: values[n % values.length] ?? 1,
        direction: n % 2 === 0 ? 'same' : 'reverse',
      }
      await pair.send(post(toJson(pair.draft(changes))))
    },
  },
  unusual('multiplier', (draft) => toJson({ ...draft, mode: 'multiplier', direction: 'same' })),
  unusual('fixed', (draft) => toJson({ ...draft, mode: 'fixed', direction: 'same' })),
  unusual('reverse', (draft) => toJson({ ...draft, mode: 'mult', direction: 'reverse' })),
  ...fields.flatMap((field) => [
    unusual(`without-${field}`, (draft) => toJson({ ...draft, [field]: undefined })),
    unusual(`${field}-of-another-type`, (draft) => toJson({ ...draft, [field]: field.length > 5 ? 7 : [] })),
  ]),
  unusual('unknown-mode', (draft) => toJson({ ...draft, mode: 'x' })),
  unusual('unknown-direction', (draft) => toJson({ ...draft, direction: 'x' })),
  unusual('value-zero', (draft) => toJson({ ...draft, value: 0 })),
  unusual('value-negative', (draft) => toJson({ ...draft, value: -1 })),
  unusual('text-as-value', (draft) => toJson({ ...draft, value: '1' })),
  unusual('invalid-json', () => '{"master":'),
  unusual('no-object', () => '[]'),
  { ...unusual('no-key', (draft) => post(toJson(draft), { key: null })), requirements: needsKey },
  { ...unusual('wrong-key', (draft) => post(toJson(draft), { key: 'not-the-key' })), requirements: needsKey },
  unusual('invalid-json-without-key', () => post('{"master":', { key: null }), 'plugin.auth.before-body'),
  unusual('unknown-member', (draft) => toJson({ ...draft, comment: 'by the kit' }), 'plugin.body.unknown-member'),
  unusual('duplicate-member', (draft) => spelled(draft, 'value', '1,"value":2'), 'plugin.body.duplicate-member'),
  unusual('member-case', (draft) => toJson(draft).replace('"master"', '"Master"'), 'plugin.body.member-case'),
  unusual('no-content-type', (draft) => post(toJson(draft), { contentType: null }), 'plugin.body.content-type-absent'),
  unusual(
    'other-content-type',
    (draft) => post(toJson(draft), { contentType: 'text/plain' }),
    'plugin.body.content-type-wrong',
  ),
  unusual('byte-order-mark', (draft) => `\ufeff${toJson(draft)}`, 'plugin.body.byte-order-mark'),
  unusual(
    'invalid-utf-8',
    (draft) => Buffer.from(toJson({ ...draft, comment: '#' }).replace('"#"', '"\xff\xfe"'), 'latin1'),
    'plugin.body.invalid-utf-8',
  ),
  unusual('large', (draft) => toJson(draft) + ' '.repeat(2 * mebibyte), 'plugin.body.size-limit'),
  second('duplicate', 'plugin.add.duplicate', (first) => first),
  second('same-pair', 'plugin.add.same-pair', (first) => ({ ...first, value: 2 })),
  unusual('self-copy', (draft) => toJson({ ...draft, master: draft.follower }), 'plugin.add.self-copy'),
  unusual('login-zero', (draft) => toJson({ ...draft, master: 0 }), 'plugin.login.zero'),
  unusual('login-negative', (draft) => toJson({ ...draft, master: -5 }), 'plugin.login.negative'),
  unusual('login-above-31-bits', (draft) => spelled(draft, 'master', '3000000005'), 'plugin.login.above-31-bits'),
  unusual('login-above-53-bits', (draft) => spelled(draft, 'master', '9007199254740993'), 'plugin.login.above-53-bits'),
  unusual(
    'login-above-64-bits',
    (draft) => spelled(draft, 'master', '18446744073709551621'),
    'plugin.login.above-64-bits',
  ),
  unusual('login-fractional', (draft) => spelled(draft, 'master', '900000000.5')),
  unusual('login-zero-fraction', (draft) => spelled(draft, 'master', '900000000.0'), 'plugin.login.zero-fraction'),
  unusual('login-exponent', (draft) => spelled(draft, 'master', '9e8'), 'plugin.login.exponent'),
  unusual('value-smallest', (draft) => spelled(draft, 'value', '1e-9'), 'plugin.value.smallest'),
  unusual('value-largest', (draft) => spelled(draft, 'value', '1e12'), 'plugin.value.largest'),
  unusual('value-overflow', (draft) => spelled(draft, 'value', '1e400'), 'plugin.value.overflow'),
]
