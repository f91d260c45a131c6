import type { PluginQuestionId } from '../../spec/plugin/questions.ts'
import { arabicDigits } from '../checks/plugin/index-spellings.ts'
import { type PluginRequest, toJson } from '../session/plugin.ts'
import type { ComparisonStep } from './comparison-step.ts'
import type { ServerPair } from './server-pair.ts'

const aboutRemoving = ['plugin.delete.*', 'plugin.list.*', 'plugin.rule.*'] as const

const status: PluginRequest = { method: 'GET', path: '/api/status' }

const add = (pair: ServerPair, changes: Readonly<Record<string, unknown>> = {}) =>
  pair.send({ method: 'POST', path: '/api/rules', body: toJson({ ...pair.draft(), ...changes }) })

/** Three rules show whether those after a removed one keep their order. */
const fewestOwn = 3

/** Removes one of the kit's rules; adds rules first if there are too few. */
async function remove(
  pair: ServerPair,
  n: number,
  spell: (index: number) => string,
  more: Partial<PluginRequest> = {},
) {
  while ((await pair.own()).length < fewestOwn) {
    if ((await add(pair))?.status !== 201) return
  }
  const own = await pair.own()
  const rule = own[n % own.length]
  if (rule === undefined) return
  await pair.send({ method: 'DELETE', path: `/api/rules/${spell(rule.index)}`, ...more })
}

function removal(
  id: string,
  spell: (index: number) => string,
  more: Partial<PluginRequest> = {},
  question?: PluginQuestionId,
): ComparisonStep {
  return {
    id: `remove${id}`,
    risk: 'write',
    ...(question === undefined ? {} : { question }),
    requirements: aboutRemoving,
    play: (pair, n) => remove(pair, n, spell, more),
  }
}

/** A DELETE without a valid index. */
function invalidRemoval(id: string, segment: (length: number) => string): ComparisonStep {
  return {
    id: `remove.${id}`,
    risk: 'write',
    withoutForeignRules: true,
    requirements: ['plugin.delete.*', 'plugin.errors.*'],
    async play(pair) {
      const path = `/api/rules/${segment((await pair.list()).length)}`
      await pair.send({ method: 'DELETE', path })
    },
  }
}

/** A method that the path does not support. */
function otherMethod(
  id: string,
  method: PluginRequest['method'],
  path: string,
  more: Partial<ComparisonStep> = {},
): ComparisonStep {
  return {
    id: `method.${id}`,
    risk: 'write',
    requirements: ['plugin.method.*', 'plugin.errors.*'],
    play: (pair) => pair.send({ method, path }),
    ...more,
  }
}

/** Adds rules until the list is full. */
async function fill(pair: ServerPair): Promise<void> {
  while ((await pair.list()).length < (pair.capacity ?? 0)) {
    if ((await add(pair))?.status !== 201) return
  }
}

/** Steps that remove a rule, send an unsupported method, or fill the list. */
export const writeSteps: readonly ComparisonStep[] = [
  removal('', String),
  {
    id: 'status.after-changes',
    risk: 'write',
    requirements: ['plugin.status.*'],
    async play(pair) {
      for (let count = 0; count < fewestOwn; count += 1) await add(pair)
      await pair.send(status)
      await remove(pair, 0, String)
      await pair.send(status)
    },
  },
  removal('.bearer', String, { as: 'bearer' }),
  { ...removal('.no-key', String, { key: null }), requirements: ['plugin.auth.changes-need-key', 'plugin.auth.*'] },
  removal('.leading-zero', (index) => `0${index}`, {}, 'plugin.index.leading-zero'),
  removal('.plus-sign', (index) => `+${index}`, {}, 'plugin.index.plus-sign'),
  removal('.space', (index) => `%20${index}`, {}, 'plugin.index.space'),
  removal('.space-behind', (index) => `${index}%20`, {}, 'plugin.index.space-behind'),
  removal('.underscore', (index) => `0_${index}`, {}, 'plugin.index.underscore'),
  removal('.other-digits', arabicDigits, {}, 'plugin.index.other-digits'),
  removal('.query', (index) => `${index}?x=1`, {}, 'plugin.index.query'),
  removal('.body', String, { body: '{}' }, 'plugin.body.on-delete'),
  invalidRemoval('behind-the-end', (length) => String(length + 1)),
  invalidRemoval('far-behind-the-end', () => '999999999'),
  invalidRemoval('negative', () => '-1'),
  invalidRemoval('text', () => 'abc'),
  invalidRemoval('fraction', () => '1.0'),
  otherMethod('put-status', 'PUT', '/api/status'),
  otherMethod('patch-rules', 'PATCH', '/api/rules'),
  otherMethod('delete-rules', 'DELETE', '/api/rules', { withoutForeignRules: true }),
  otherMethod('put-status-without-key', 'PUT', '/api/status', {
    question: 'plugin.auth.before-method',
    play: (pair) => pair.send({ method: 'PUT', path: '/api/status', key: null }),
  }),
  {
    // Methods are case-sensitive, so `get` is not a read.
    id: 'method.lower-case',
    risk: 'write',
    question: 'plugin.method.lower-case',
    requirements: ['plugin.method.*'],
    play: (pair) => pair.sendMethod('get'),
  },
  {
    id: 'method.unknown',
    risk: 'write',
    question: 'plugin.method.unknown',
    requirements: ['plugin.method.*'],
    play: (pair) => pair.sendMethod('BREW'),
  },
  {
    id: 'fill',
    risk: 'exclusive',
    fills: true,
    requirements: ['plugin.capacity.*'],
    async play(pair) {
      await fill(pair)
      await add(pair)
    },
  },
  {
    id: 'fill.invalid',
    risk: 'exclusive',
    fills: true,
    question: 'plugin.capacity.before-validation',
    requirements: ['plugin.capacity.*'],
    async play(pair) {
      await fill(pair)
      await add(pair, { direction: undefined })
    },
  },
]
