import type { HostileClient } from '../../fixtures/clients/hostile.ts'
import type { Scenario, ScenarioStep, TestEnvironment } from './scenario.ts'

type Edit = (other: HostileClient, position: number, environment: TestEnvironment) => Promise<unknown>

const only = (...ids: readonly string[]) => ids.flatMap((id) => ['--only', id])
const writes = ['--risk', 'write', '--yes']

/** Checks that add rules and remove them one by one. */
const deletes = [...writes, ...only('plugin.delete.keeps-order')]
const adds = [...writes, ...only('plugin.add.created', 'plugin.add.index-of-new-rule')]

function at(
  method: ScenarioStep['method'],
  phase: ScenarioStep['phase'],
  edit: Edit,
  nth: ScenarioStep['nth'] = [1, 4],
): ScenarioStep {
  return {
    ...{ method, phase, nth },
    async act(environment) {
      await edit(environment.other, environment.position, environment)
      return undefined
    },
  }
}

const beforeDelete = (edit: Edit, nth?: ScenarioStep['nth']) => at('DELETE', 'before', edit, nth)
const afterDelete = (edit: Edit, nth?: ScenarioStep['nth']) => at('DELETE', 'after', edit, nth)
const beforePost = (edit: Edit, nth?: ScenarioStep['nth']) => at('POST', 'before', edit, nth)
const afterPost = (edit: Edit, nth?: ScenarioStep['nth']) => at('POST', 'after', edit, nth)
const cut = (step: ScenarioStep): ScenarioStep => ({
  ...step,
  async act(environment) {
    await step.act(environment)
    return 'cut'
  },
})
const nothing: Edit = async () => undefined
const kill: Edit = async (_other, _position, environment) => environment.signal('SIGKILL')
const duringRestore = (step: ScenarioStep): ScenarioStep => ({ ...step, command: 'restore' })

/** A foreign rule after those of the kit: from then on the kit cleans up. */
const appended = afterPost((other) => other.add(), [1, 3])

const defaults: Omit<Scenario, 'name'> = {
  ...{ server: 'end', faults: [], capacity: 64, foreign: 8, args: deletes, steps: [], random: null, hooks: false },
}

function scenario(name: string, more: Partial<Scenario>): Scenario {
  return { ...defaults, name, ...more }
}

/** The index shifts while a DELETE of the kit is in flight. */
const removals: readonly Scenario[] = [
  scenario('delete-previous', { steps: [beforeDelete((other, n) => other.remove(n - 1))] }),
  scenario('delete-previous-in-clean-up', {
    steps: [appended, beforeDelete((other, n) => other.remove(n - 1), [1, 1])],
  }),
  scenario('delete-next-in-clean-up', { steps: [appended, beforeDelete((other, n) => other.remove(n + 1), [1, 1])] }),
  scenario('delete-first-in-clean-up', { steps: [appended, beforeDelete((other) => other.remove(0), [1, 1])] }),
  scenario('delete-same', { steps: [beforeDelete((other, n) => other.remove(n))] }),
  scenario('delete-same-in-clean-up', { steps: [appended, beforeDelete((other, n) => other.remove(n), [1, 1])] }),
  scenario('own-rule-replaced', { steps: [beforeDelete((other, n) => other.removeAndAdd(n))] }),
  scenario('replace-previous', { args: adds, steps: [beforeDelete((other, n) => other.removeAndAdd(n - 1), [1, 1])] }),
  scenario('replace-previous-add-first', {
    args: adds,
    steps: [beforeDelete((other, n) => other.addAndRemove(n - 1), [1, 1])],
  }),
  scenario('replace-previous-of-five', { steps: [beforeDelete((other, n) => other.removeAndAdd(n - 1))] }),
  scenario('replace-any', { steps: [beforeDelete((other, _n, { random }) => other.removeAndAdd(random(0, 7)))] }),
  scenario('append-before-delete', { steps: [beforeDelete((other) => other.add())] }),
  scenario('two-edits', {
    steps: [
      beforeDelete(async (other, n, { random }) => {
        await other.remove(random(0, n - 1))
        await other.add()
        await other.remove(random(0, n - 2))
        await other.add()
      }),
    ],
  }),
  scenario('edits-after-delete', { steps: [afterDelete((other, n) => other.removeAndAdd(n - 1))] }),
  scenario('edits-around-delete', {
    steps: [
      beforeDelete((other, n) => other.removeAndAdd(n - 1), [1, 1]),
      afterDelete((other) => other.remove(0), [1, 1]),
    ],
  }),
  scenario('start-append-before-delete', {
    server: 'start',
    args: adds,
    steps: [beforeDelete((other) => other.add(), [1, 1])],
  }),
  scenario('start-delete-next', { server: 'start', steps: [beforeDelete((other, n) => other.remove(n + 1))] }),
  scenario('start-own-rule-replaced', {
    server: 'start',
    args: adds,
    steps: [beforeDelete((other, n) => other.removeAndAdd(n), [1, 1])],
  }),
  scenario('start-replace', { server: 'bare', steps: [beforeDelete((other, n) => other.addAndRemove(n + 2))] }),
]

/** Edits while the kit adds rules. */
const additions: readonly Scenario[] = [
  scenario('delete-before-post', {
    args: adds,
    steps: [beforePost((other, _n, { random }) => other.remove(random(0, 7)))],
  }),
  scenario('delete-after-post', {
    args: adds,
    steps: [afterPost((other, _n, { random }) => other.remove(random(0, 7)))],
  }),
  scenario('replace-around-post', {
    args: adds,
    steps: [beforePost((other) => other.remove(0), [1, 2]), afterPost((other) => other.add(), [1, 1])],
  }),
  scenario('own-rule-deleted-after-post', {
    args: adds,
    steps: [afterPost((other, _n, { list }) => other.removeAndAdd((list ?? []).length - 1))],
  }),
]

/** Broken connections. */
const lostResponses: readonly Scenario[] = [
  scenario('lost-delete-response', { steps: [cut(afterDelete(nothing))] }),
  scenario('lost-delete-response-with-edit', {
    steps: [cut(beforeDelete(nothing, [1, 1])), beforeDelete((other, n) => other.remove(n - 1), [1, 1])],
  }),
  scenario('lost-delete-response-after-edit', {
    steps: [appended, { ...cut(afterDelete((other, n) => other.remove(n - 1), [1, 1])) }],
  }),
  scenario('lost-post-response', { args: adds, steps: [cut(afterPost(nothing, [1, 2]))] }),
  scenario('lost-post-response-with-edit', {
    args: adds,
    steps: [cut(afterPost((other) => other.removeAndAdd(0), [1, 2]))],
  }),
]

/** Ways in which the kit ends. */
const endings: readonly Scenario[] = [
  scenario('kill-at-delete', { steps: [afterDelete(kill, [1, 6])] }),
  scenario('kill-at-delete-then-edit', {
    steps: [
      beforeDelete(async (other, n, environment) => {
        environment.signal('SIGKILL')
        await other.removeAndAdd(n - 1)
      }),
    ],
  }),
  scenario('kill-at-post-then-edit', {
    steps: [
      afterPost(
        async (other, _n, environment) => {
          environment.signal('SIGKILL')
          await other.removeAndAdd(environment.random(0, 7))
        },
        [1, 6],
      ),
    ],
  }),
  scenario('kill-then-edit-in-restore', {
    steps: [
      afterPost(
        async (other, _n, environment) => {
          environment.signal('SIGKILL')
          await other.add()
        },
        [2, 6],
      ),
      duringRestore(beforeDelete((other, n) => other.remove(n - 1), [1, 1])),
    ],
  }),
  scenario('terminate', { steps: [at('POST', 'after', async (_o, _n, { signal }) => signal('SIGTERM'), [1, 6])] }),
  scenario('interrupt-and-edit', {
    steps: [
      afterPost(
        async (other, _n, { signal }) => {
          signal('SIGINT')
          await other.add()
        },
        [1, 6],
      ),
      beforeDelete((other, n) => other.remove(n - 1), [1, 1]),
    ],
  }),
]

const full = {
  capacity: 8,
  args: [...writes, ...only('plugin.add.created', 'plugin.capacity.*', 'plugin.delete.keeps-order')],
}
const fill = {
  capacity: 14,
  args: ['--risk', 'exclusive', '--yes', '--max-fill', '30', ...only('plugin.add.created', 'plugin.capacity.*')],
}
const leaves: readonly ScenarioStep[] = [afterPost((other) => other.remove(1), [1, 2])]
const comes: readonly ScenarioStep[] = [beforePost((other) => other.add(), [1, 1])]

/** Servers that change foreign rules themselves, alone and with another client. */
const faultyServers: readonly Scenario[] = [
  ...[
    'capacity-evicts-first',
    'capacity-overwrites-last',
    'capacity-drops-first-and-answers-500',
    'capacity-refused-but-added',
  ].flatMap((fault) => [
    scenario(`${fault}-at-write`, { ...full, faults: [fault] }),
    scenario(`${fault}-in-fill`, { ...fill, faults: [fault] }),
    scenario(`${fault}-and-client-adds`, { ...fill, faults: [fault], steps: comes }),
    scenario(`${fault}-and-client-removes`, { ...full, faults: [fault], steps: leaves }),
  ]),
  scenario('capacity-conforming-fill', { ...fill }),
  scenario('capacity-conforming-fill-and-client', {
    ...fill,
    steps: [beforePost((other, _n, { random }) => other.remove(random(0, 7)), [1, 10])],
  }),
  scenario('delete-removes-the-rule-before', { faults: ['delete-removes-the-rule-before'] }),
  scenario('delete-removes-the-rule-before-and-client', {
    faults: ['delete-removes-the-rule-before'],
    steps: [beforeDelete((other) => other.add(), [1, 1])],
  }),
  scenario('delete-moves-last-into-hole', { faults: ['delete-moves-last-into-hole'], server: 'start' }),
]

const hooked = {
  hooks: true,
  args: ['--risk', 'exclusive', '--yes', ...only('CT-601', 'CT-622', 'CT-630')],
}

/** The kit drives the life cycle of the server. */
const hookRuns: readonly Scenario[] = [
  scenario('hooks-alone', hooked),
  scenario('hooks-and-client-adds', { ...hooked, steps: [beforePost((other) => other.add(), [1, 2])] }),
  scenario('hooks-and-client-replaces', { ...hooked, steps: [beforeDelete((other) => other.removeAndAdd(0), [1, 2])] }),
  scenario('hooks-kill', { ...hooked, steps: [at('POST', 'after', kill, [1, 12])] }),
  scenario('hooks-terminate', {
    ...hooked,
    steps: [at('POST', 'after', async (_other, _n, { signal }) => signal('SIGTERM'), [1, 12])],
  }),
]

/** Edits at random moments: timed, or at one in several requests of the kit. */
const random: readonly Scenario[] = [
  scenario('random-clock', { random: { everyMs: [20, 500], oneIn: null } }),
  scenario('random-moments', { random: { everyMs: null, oneIn: 12 } }),
  scenario('random-moments-of-adding', { args: adds, random: { everyMs: null, oneIn: 8 } }),
  scenario('random-moments-start', { server: 'start', random: { everyMs: null, oneIn: 12 } }),
  scenario('random-moments-bare', { server: 'bare', random: { everyMs: null, oneIn: 12 } }),
  scenario('random-moments-threaded', { server: 'threaded', random: { everyMs: null, oneIn: 12 } }),
  scenario('random-fill', { ...fill, random: { everyMs: null, oneIn: 30 } }),
  scenario('random-kill', {
    steps: [at('DELETE', 'after', kill, [1, 5])],
    random: { everyMs: null, oneIn: 15, inRestore: true },
  }),
  scenario('random-hooks', { ...hooked, random: { everyMs: null, oneIn: 40 } }),
  scenario('random-whole-write', { args: writes, random: { everyMs: null, oneIn: 400 } }),
  scenario('random-whole-exclusive', {
    args: ['--risk', 'exclusive', '--yes', '--max-fill', '80'],
    random: { everyMs: null, oneIn: 800 },
  }),
]

export const scenarios: readonly Scenario[] = [
  ...removals,
  ...additions,
  ...lostResponses,
  ...endings,
  ...faultyServers,
  ...hookRuns,
  ...random,
]
