import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from '../../test/command.ts'
import type { Fleet, FleetInstall } from '../fleet-document.ts'
import { writeFleet } from './roll-up.ts'
import { fleetOf } from './sample-fleet.test-data.ts'

/** The cases of junit.xml that did not pass, as `name element type`, and the totals of the file. */
async function junitOf(fleet: Fleet) {
  const out = emptyFolder()
  await writeFleet(fleet, out)
  const xml = readFileSync(join(out, 'junit.xml'), 'utf8')
  const cases = xml.matchAll(/<testcase name="([^"]*)"[^>]*>\s*<(\w+) message="([^"]*)" type="([^"]*)"/g)
  return Array.from(cases, ([, name, element, message, type]) => `${name}: ${element} ${type}: ${message}`)
}

function oneInstall(changes: Partial<FleetInstall>): Fleet {
  const fleet = fleetOf(['a'])
  return { ...fleet, installs: fleet.installs.map((install) => ({ ...install, ...changes })) }
}

const id = 'plugin.status.ok'
const passing: Partial<FleetInstall> = {
  ...{ statuses: { [id]: 'passed' }, failures: [], verdict: 'conformant', explanation: 'Why.' },
}
const [failure] = fleetOf(['a']).installs.flatMap(({ failures }) => failures)
const known = { failures: failure ? [{ ...failure, known: true }] : [] }

test('a requirement that was partly judged is skipped, not passed', async () => {
  const statuses = { [id]: 'partly-judged' } as const
  expect(await junitOf(oneInstall({ ...passing, statuses, exitCode: 0 }))).toEqual([
    `${id}: skipped partly-judged: partly judged`,
  ])
})

const failed = `${id}: failure required: wrong`
const run = (code: number) => `run: error exit code ${code}: Why.`

test.for([
  ['a stale baseline', { ...passing, exitCode: 1 }, [run(1)]],
  ['a list that was not restored', { ...passing, exitCode: 5 }, [run(5)]],
  ['a run with --complete', { ...passing, verdict: 'incomplete', exitCode: 3 }, [run(3)]],
  ['an unknown failure', { explanation: 'Why.', exitCode: 1 }, [failed]],
  ['a known failure and a stale entry', { ...known, explanation: 'Why.', exitCode: 1 }, [failed, run(1)]],
  ['a known failure', { ...known, explanation: 'Why.', exitCode: 0 }, [failed]],
  ['a failure and a list that was not restored', { explanation: 'Why.', exitCode: 5 }, [failed, run(5)]],
  [
    'a check that is blocked',
    { ...passing, statuses: { [id]: 'blocked' }, exitCode: 3 },
    [`${id}: error blocked: blocked`],
  ],
  ['no report', { ...passing, verdict: null, statuses: {}, exitCode: 4 }, [run(4)]],
  ['no report and no error', { ...passing, verdict: null, statuses: {}, exitCode: 0 }, [run(0)]],
] as [string, Partial<FleetInstall>, string[]][])(
  'an exit code that no case explains is an error: %s',
  async ([, install, cases]) => {
    expect(await junitOf(oneInstall(install))).toEqual(cases)
  },
)

test('a part of the fleet that is missing is an error', async () => {
  const fleet = { ...oneInstall({ ...passing, exitCode: 0 }), missingShards: [{ index: 2, count: 2 }] }
  expect(await junitOf(fleet)).toEqual(['run: error incomplete: 1 part of the fleet is missing: 2/2.'])
})
