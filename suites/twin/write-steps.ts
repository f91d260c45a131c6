import type { PluginQuestionId } from '../../spec/plugin/questions.ts'
import { type PluginRequest, toJson } from '../session/plugin.ts'
import type { Duo } from './duo.ts'
import type { Step } from './step.ts'

const aboutRemoving = ['plugin.delete.*', 'plugin.list.*', 'plugin.rule.*'] as const

const status: PluginRequest = { method: 'GET', path: '/api/status' }

const add = (duo: Duo, changes: Readonly<Record<string, unknown>> = {}) =>
  duo.send({ method: 'POST', path: '/api/rules', body: toJson({ ...duo.draft(), ...changes }) })

/** With three rules it shows whether those behind a removed one keep their order. */
const fewestOwn = 3

/** Removes one of the kit's rules, which it adds first if there are too few to choose from. */
async function remove(duo: Duo, n: number, spell: (index: number) => string, more: Partial<PluginRequest> = {}) {
  while ((await duo.own()).length < fewestOwn) {
    if ((await add(duo))?.status !== 201) return
  }
  const own = await duo.own()
  const rule = own[n % own.length]
  if (rule === undefined) return
  await duo.send({ method: 'DELETE', path: `/api/rules/${spell(rule.index)}`, ...more })
}

function removal(
  id: string,
  spell: (index: number) => string,
  more: Partial<PluginRequest> = {},
  question?: PluginQuestionId,
): Step {
  return {
    id: `remove${id}`,
    risk: 'write',
    ...(question === undefined ? {} : { question }),
    requirements: aboutRemoving,
    play: (duo, n) => remove(duo, n, spell, more),
  }
}

/** A DELETE that names no rule. */
function invalidRemoval(id: string, segment: (length: number) => string): Step {
  return {
    id: `remove.${id}`,
    risk: 'write',
    alone: true,
    requirements: ['plugin.delete.*', 'plugin.errors.*'],
    async play(duo) {
      const path = `/api/rules/${segment((await duo.list()).length)}`
      await duo.send({ method: 'DELETE', path })
    },
  }
}

/** A method that the path does not have. */
function otherMethod(id: string, method: PluginRequest['method'], path: string, more: Partial<Step> = {}): Step {
  return {
    id: `method.${id}`,
    risk: 'write',
    requirements: ['plugin.method.*', 'plugin.errors.*'],
    play: (duo) => duo.send({ method, path }),
    ...more,
  }
}

/** Adds rules until the list is as full as it can be. */
async function fill(duo: Duo): Promise<void> {
  while ((await duo.list()).length < (duo.capacity ?? 0)) {
    if ((await add(duo))?.status !== 201) return
  }
}

/** Steps that remove a rule, that no server accepts, or that fill the list. */
export const writeSteps: readonly Step[] = [
  removal('', String),
  {
    id: 'status.after-changes',
    risk: 'write',
    requirements: ['plugin.status.*'],
    async play(duo) {
      for (let count = 0; count < fewestOwn; count += 1) await add(duo)
      await duo.send(status)
      await remove(duo, 0, String)
      await duo.send(status)
    },
  },
  removal('.bearer', String, { as: 'bearer' }),
  { ...removal('.no-key', String, { key: null }), requirements: ['plugin.auth.delete-needs-key', 'plugin.auth.*'] },
  removal('.leading-zero', (index) => `0${index}`, {}, 'plugin.index.leading-zero'),
  removal('.plus-sign', (index) => `+${index}`, {}, 'plugin.index.plus-sign'),
  removal('.space', (index) => `%20${index}`, {}, 'plugin.index.space'),
  removal('.query', (index) => `${index}?x=1`, {}, 'plugin.index.query'),
  removal('.body', String, { body: '{}' }, 'plugin.body.on-delete'),
  invalidRemoval('behind-the-end', (length) => String(length + 1)),
  invalidRemoval('far-behind-the-end', () => '999999999'),
  invalidRemoval('negative', () => '-1'),
  invalidRemoval('text', () => 'abc'),
  invalidRemoval('fraction', () => '1.0'),
  otherMethod('put-status', 'PUT', '/api/status'),
  otherMethod('patch-rules', 'PATCH', '/api/rules'),
  otherMethod('delete-rules', 'DELETE', '/api/rules', { alone: true }),
  otherMethod('put-status-without-key', 'PUT', '/api/status', {
    question: 'plugin.auth.before-method',
    play: (duo) => duo.send({ method: 'PUT', path: '/api/status', key: null }),
  }),
  {
    id: 'method.unknown',
    risk: 'write',
    question: 'plugin.method.unknown',
    requirements: ['plugin.method.*'],
    play: (duo) => duo.sendMethod('BREW'),
  },
  {
    id: 'fill',
    risk: 'exclusive',
    fills: true,
    requirements: ['plugin.capacity.*'],
    async play(duo) {
      await fill(duo)
      await add(duo)
    },
  },
  {
    id: 'fill.invalid',
    risk: 'exclusive',
    fills: true,
    question: 'plugin.capacity.before-validation',
    requirements: ['plugin.capacity.*'],
    async play(duo) {
      await fill(duo)
      await add(duo, { direction: undefined })
    },
  },
]
