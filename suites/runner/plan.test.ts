import { array, constantFrom, property, record, subarray, uuid } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../simulator/testing/always.ts'
import { type Capability, type Check, type Observation, ownServerCapabilities, type Risk } from '../session/check.ts'
import { type PlanOptions, plan } from './plan.ts'

const risks: readonly Risk[] = ['read', 'write', 'exclusive']
const capabilities: readonly Capability[] = [...ownServerCapabilities, 'capacity', 'stated-capacity']

function check(id: string, requirement: string, changes: Partial<Check> = {}): Check {
  return { id, requirement, title: `title of ${id}`, risk: 'read', run: async () => undefined, ...changes }
}

const observation: Observation = {
  id: 'CT-900',
  question: 'plugin.index.base',
  title: 'an observation',
  risk: 'write',
  run: async () => ({ answer: null, seen: '' }),
}

const checks = [
  check('CT-103', 'plugin.capacity.refuses', { risk: 'exclusive' }),
  check('CT-101', 'plugin.delete.ok', { risk: 'write' }),
  check('CT-102', 'plugin.delete.order', { risk: 'write', needs: ['launch'] }),
  observation,
  check('CT-104', 'plugin.status.ok'),
]

function idsOf(options: Partial<PlanOptions> = {}) {
  return plan({ checks, risk: 'exclusive', capabilities, only: [], skip: [], ...options }).map(({ id }) => id)
}

test('checks that change the least come first, and equal ones keep their order', () => {
  expect(idsOf()).toEqual(['CT-104', 'CT-101', 'CT-102', 'CT-900', 'CT-103'])
})

test('a glob chooses by the id of a check, of a requirement or of a question', () => {
  expect(idsOf({ only: ['CT-104'] })).toEqual(['CT-104'])
  expect(idsOf({ only: ['plugin.delete.*'] })).toEqual(['CT-101', 'CT-102'])
  expect(idsOf({ only: ['plugin.index.base'] })).toEqual(['CT-900'])
  expect(idsOf({ only: ['CT-10{1,3}', '*.status.*'] })).toEqual(['CT-104', 'CT-101', 'CT-103'])
  expect(idsOf({ only: ['*'] })).toHaveLength(5)
})

test('a glob is not a part of a name, and dots mean dots', () => {
  expect(idsOf({ only: ['plugin.delete'] })).toEqual([])
  expect(idsOf({ only: ['CT-10'] })).toEqual([])
  expect(idsOf({ only: ['plugin.delete?*'] })).toEqual(['CT-101', 'CT-102'])
  expect(idsOf({ only: ['pluginxdelete.ok'] })).toEqual([])
})

test('a skipped check is left out even if it was chosen', () => {
  expect(idsOf({ skip: ['plugin.delete.*', 'CT-900'] })).toEqual(['CT-104', 'CT-103'])
  expect(idsOf({ only: ['CT-10*'], skip: ['plugin.delete.ok'] })).toEqual(['CT-104', 'CT-102', 'CT-103'])
})

test.for([
  [
    'read',
    [null, 'it needs --risk write', 'it needs --risk write', 'it needs --risk write', 'it needs --risk exclusive'],
  ],
  ['write', [null, null, null, null, 'it needs --risk exclusive']],
  ['exclusive', [null, null, null, null, null]],
] as const)('with --risk %s checks beyond it are out of scope, with the reason', ([risk, reasons]) => {
  const planned = plan({ checks, risk, capabilities, only: [], skip: [] })
  expect(planned.map(({ outOfScope }) => outOfScope)).toEqual(reasons)
})

test.for(capabilities)('without the capability %s the reason says what is missing', (missing) => {
  const one = check('CT-1', 'a.b', { needs: capabilities })
  const granted = capabilities.filter((capability) => capability !== missing)
  const [planned] = plan({ checks: [one], risk: 'read', capabilities: granted, only: [], skip: [] })
  expect(planned?.outOfScope).toMatch(/ this server/)
  const hints: Partial<Record<Capability, string>> = {
    capacity: 'choose the capacity',
    'stated-capacity': '--capacity',
  }
  expect(planned?.outOfScope).toContain(hints[missing] ?? '--exec')
})

test('for all options: allowed checks are run, those that change the least first, and no check is lost', () => {
  const anyCheck = record({
    id: uuid(),
    risk: constantFrom(...risks),
    needs: subarray([...capabilities]),
  }).map(({ id, risk, needs }) => check(id, `r.${id}`, { risk, needs }))
  always(
    property(
      array(anyCheck, { maxLength: 12 }),
      constantFrom(...risks),
      subarray([...capabilities]),
      (all, risk, granted) => {
        const planned = plan({ checks: all, risk, capabilities: granted, only: [], skip: [] })
        const byId = new Map(all.map((one) => [one.id, one]))
        expect(planned.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted())
        const steps = planned.map(({ id }) => risks.indexOf(byId.get(id)?.risk ?? 'read'))
        expect(steps).toEqual(steps.toSorted((a, b) => a - b))
        for (const { id, outOfScope } of planned) {
          const one = byId.get(id)
          const allowed = risks.indexOf(one?.risk ?? 'read') <= risks.indexOf(risk)
          const able = one?.needs?.every((need) => granted.some((capability) => capability === need)) ?? true
          expect(outOfScope === null).toBe(allowed && able)
        }
      },
    ),
  )
})

test('accounts are allotted to the checks in order, and the shared sample is counted once', () => {
  const all = [
    check('CP-1', 'a', { creates: 'sample' }),
    check('CP-2', 'b', { creates: 'sample' }),
    check('CP-3', 'c', { creates: 2 }),
    check('CP-4', 'd', { creates: 1 }),
    check('CP-5', 'e', {}),
  ]
  const run = (mostAccounts: number) =>
    plan({ checks: all, risk: 'read', capabilities: [], only: [], skip: [], mostAccounts })
      .filter(({ outOfScope }) => outOfScope === null)
      .map(({ id }) => id)
  expect(run(0)).toEqual(['CP-5'])
  expect(run(1)).toEqual(['CP-1', 'CP-2', 'CP-5'])
  expect(run(2)).toEqual(['CP-1', 'CP-2', 'CP-4', 'CP-5'])
  expect(run(3)).toEqual(['CP-1', 'CP-2', 'CP-3', 'CP-5'])
  const [late] = plan({
    checks: [check('CP-3', 'c', { creates: 2 })],
    risk: 'read',
    capabilities: [],
    only: [],
    skip: [],
    mostAccounts: 2,
  })
  expect(late?.outOfScope).toContain('3 demo accounts')
})
