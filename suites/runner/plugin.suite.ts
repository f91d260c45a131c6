import { afterAll, describe, inject, test } from 'vitest'
import { platformChecks, platformObservations } from '../checks/platform/all.ts'
import { pluginCases } from '../checks/plugin/all.ts'
import { reachDriver } from '../targets/remote.ts'
import { createRunContext } from './context.ts'
import { releaseAll, runPlanned } from './run-plan.ts'
import './suite-setup.ts'

const setup = inject('setup')
const { settings, driverChannel } = setup
const driver = driverChannel === null ? null : reachDriver(driverChannel)
const context = createRunContext(settings, driver)
const all = [...pluginCases, ...platformChecks, ...platformObservations]
const checks = new Map(all.map((check) => [check.id, check]))

describe('plugin', () => {
  for (const planned of setup.plan) {
    const check = checks.get(planned.id)
    if (check === undefined) throw new Error(`the plan names an unknown check: ${planned.id}`)
    test(`${check.id} ${check.title}`, async ({ task, skip }) => {
      const outcome = await runPlanned(planned, check, context)
      task.meta.outcome = outcome
      if (outcome.status === 'failed' || outcome.status === 'error') throw new Error(outcome.message ?? outcome.status)
      if (outcome.status !== 'passed') skip(outcome.message ?? outcome.status)
    })
  }
  afterAll(() => releaseAll(context))
})
