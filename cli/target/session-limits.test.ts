import { expect, test } from 'vitest'
import type { RunOptions } from '../options/run-options.ts'
import { limitsOfSystem } from './session.ts'

const exec = { target: { kind: 'exec', command: './server' }, lifeCycle: null } as unknown as RunOptions
const url = { target: { kind: 'url' }, lifeCycle: { hooks: { restart: 'x' } } } as unknown as RunOptions

test('a system without process groups rejects --exec with a hint, and names the limits of hooks', () => {
  expect(() => limitsOfSystem(exec, 'win32')).toThrow('`--exec` does not work on Windows')
  expect(limitsOfSystem(url, 'win32')).toEqual([expect.stringContaining('`--hook-timeout`')])
  expect(limitsOfSystem({ ...url, lifeCycle: null }, 'win32')).toEqual([])
})

test('a system without /proc names what the kit cannot see, and Linux has no limits', () => {
  expect(limitsOfSystem(exec, 'darwin')).toEqual([expect.stringContaining('Without /proc')])
  expect([...limitsOfSystem(url, 'darwin'), ...limitsOfSystem(exec, 'linux'), ...limitsOfSystem(url, 'linux')]).toEqual(
    [],
  )
})
