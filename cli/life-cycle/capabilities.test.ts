import { expect, test } from 'vitest'
import type { LifeCycle } from '../options/life-cycle-options.ts'
import { capabilitiesOf } from './capabilities.ts'

const of = (hooks: LifeCycle['hooks'], manual = false) => capabilitiesOf({ hooks, manual })

test('a restart requires one hook, or a stop and a start hook', () => {
  expect(of({ restart: 'x' }).capabilities).toEqual(['restart'])
  expect(of({ stop: 'x', start: 'x' }).capabilities).toEqual(['restart'])
  expect(of({ stop: 'x' }).capabilities).toEqual([])
})

test('an empty list requires a restart, parameters and a deleted rules file', () => {
  expect(of({ restart: 'x', 'set-parameters': 'x' }).capabilities).toEqual(['restart', 'parameters'])
  const all = of({ restart: 'x', 'set-parameters': 'x', 'delete-rules-file': 'x' })
  expect(all.capabilities).toEqual(['restart', 'parameters', 'delete-rules-file', 'launch'])
})

test('a person can do every step', () => {
  expect(of({}, true).capabilities).toEqual(['restart', 'parameters', 'delete-rules-file', 'launch'])
})

test('the reason names the missing hooks', () => {
  expect(of({ restart: 'x' }).missing.launch).toContain(': give `--hook-set-parameters`, `--hook-delete-rules-file`')
  expect(of({ stop: 'x' }).missing.restart).toContain(': give `--hook-restart` or `--hook-start`, or `--manual`')
  expect(of({ 'set-parameters': 'x' }).missing.parameters).toContain(': give `--hook-restart`, or `--manual`')
})

test('without hooks the reason names hooks and `--manual` before servers that the kit starts', () => {
  expect(capabilitiesOf(null).missing.restart).toBe(
    'the kit cannot restart this server: give `--hook-restart`, or `--manual` (or use `--exec` or `--container`)',
  )
})
