import type { PluginQuestionId } from '../../spec/plugin/questions.ts'
import type { Draft } from '../model/rule.ts'
import { type PluginRequest, toJson } from '../session/plugin.ts'
import type { Step } from './step.ts'

const mebibyte = 1024 * 1024
const aboutAdding = ['plugin.add.*', 'plugin.errors.*', 'plugin.rule.*'] as const

const post = (body: string | Buffer, more: Partial<PluginRequest> = {}): PluginRequest => ({
  method: 'POST',
  path: '/api/rules',
  body,
  ...more,
})

/** A rule with another text in place of one of its values, which JSON.stringify would not write. */
function spelled(draft: Draft, field: keyof Draft, text: string): string {
  return toJson({ ...draft, [field]: 'REPLACED' }).replace('"REPLACED"', text)
}

type Make = (draft: Draft) => string | Buffer | PluginRequest

/** Adds one odd rule. */
function odd(id: string, make: Make, question?: PluginQuestionId): Step {
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

/** Adds a rule, and then another that is made from it. */
function second(id: string, question: PluginQuestionId, make: (first: Draft) => Draft): Step {
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

const needsKey = ['plugin.auth.add-needs-key', 'plugin.auth.*'] as const
const fields = ['master', 'follower', 'mode', 'value', 'direction'] as const
const modes = ['mult', 'multiplier', 'fixed'] as const
const values = [0.01, 1, 1.5, 12.75, 100_000, 1e-3] as const

/** Steps that add a rule, or try to. */
export const addSteps: readonly Step[] = [
  {
    id: 'add',
    risk: 'write',
    question: 'plugin.add.position',
    requirements: aboutAdding,
    async play(pair, n) {
      // Two, so that it shows where the second one goes.
      await pair.send(post(toJson(pair.draft())))
      const changes = {
        mode: modes[n % modes.length] ?? 'mult',
        value: values[n % values.length] ?? 1,
        direction: n % 2 === 0 ? 'same' : 'reverse',
      }
      await pair.send(post(toJson(pair.draft(changes))))
    },
  },
  odd('multiplier', (draft) => toJson({ ...draft, mode: 'multiplier', direction: 'same' })),
  odd('fixed', (draft) => toJson({ ...draft, mode: 'fixed', direction: 'same' })),
  odd('reverse', (draft) => toJson({ ...draft, mode: 'mult', direction: 'reverse' })),
  ...fields.flatMap((field) => [
    odd(`without-${field}`, (draft) => toJson({ ...draft, [field]: undefined })),
    odd(`${field}-of-another-type`, (draft) => toJson({ ...draft, [field]: field.length > 5 ? 7 : [] })),
  ]),
  odd('unknown-mode', (draft) => toJson({ ...draft, mode: 'x' })),
  odd('unknown-direction', (draft) => toJson({ ...draft, direction: 'x' })),
  odd('value-zero', (draft) => toJson({ ...draft, value: 0 })),
  odd('value-negative', (draft) => toJson({ ...draft, value: -1 })),
  odd('text-as-value', (draft) => toJson({ ...draft, value: '1' })),
  odd('invalid-json', () => '{"master":'),
  odd('no-object', () => '[]'),
  { ...odd('no-key', (draft) => post(toJson(draft), { key: null })), requirements: needsKey },
  { ...odd('wrong-key', (draft) => post(toJson(draft), { key: 'not-the-key' })), requirements: needsKey },
  odd('invalid-json-without-key', () => post('{"master":', { key: null }), 'plugin.auth.before-body'),
  odd('unknown-member', (draft) => toJson({ ...draft, comment: 'by the kit' }), 'plugin.body.unknown-member'),
  odd('duplicate-member', (draft) => spelled(draft, 'value', '1,"value":2'), 'plugin.body.duplicate-member'),
  odd('no-content-type', (draft) => post(toJson(draft), { contentType: null }), 'plugin.body.content-type-absent'),
  odd(
    'other-content-type',
    (draft) => post(toJson(draft), { contentType: 'text/plain' }),
    'plugin.body.content-type-wrong',
  ),
  odd('byte-order-mark', (draft) => `\ufeff${toJson(draft)}`, 'plugin.body.byte-order-mark'),
  odd(
    'invalid-utf-8',
    (draft) => Buffer.from(toJson({ ...draft, comment: '#' }).replace('"#"', '"\xff\xfe"'), 'latin1'),
    'plugin.body.invalid-utf-8',
  ),
  odd('large', (draft) => toJson(draft) + ' '.repeat(2 * mebibyte), 'plugin.body.size-limit'),
  second('duplicate', 'plugin.add.duplicate', (first) => first),
  second('same-pair', 'plugin.add.same-pair', (first) => ({ ...first, value: 2 })),
  odd('self-copy', (draft) => toJson({ ...draft, master: draft.follower }), 'plugin.add.self-copy'),
  odd('login-zero', (draft) => toJson({ ...draft, master: 0 }), 'plugin.login.zero'),
  odd('login-negative', (draft) => toJson({ ...draft, master: -5 }), 'plugin.login.negative'),
  odd('login-above-31-bits', (draft) => spelled(draft, 'master', '3000000005'), 'plugin.login.above-31-bits'),
  odd('login-above-53-bits', (draft) => spelled(draft, 'master', '9007199254740993'), 'plugin.login.above-53-bits'),
  odd('login-above-64-bits', (draft) => spelled(draft, 'master', '18446744073709551621'), 'plugin.login.above-64-bits'),
  odd('login-fractional', (draft) => spelled(draft, 'master', '900000000.5'), 'plugin.login.fractional'),
  odd('login-zero-fraction', (draft) => spelled(draft, 'master', '900000000.0'), 'plugin.login.zero-fraction'),
  odd('login-exponent', (draft) => spelled(draft, 'master', '9e8'), 'plugin.login.exponent'),
  odd('value-smallest', (draft) => spelled(draft, 'value', '1e-9'), 'plugin.value.smallest'),
  odd('value-largest', (draft) => spelled(draft, 'value', '1e12'), 'plugin.value.largest'),
  odd('value-overflow', (draft) => spelled(draft, 'value', '1e400'), 'plugin.value.overflow'),
]
