// The plugin API with one planted mistake in the kit. The query of the URL names it.
import { apis as known } from '../../dist/cli/selftest/apis.js'
import { FailedExpectation } from '../../dist/suites/assertions/failure.js'

const [pluginApi] = known

const requirement = {
  id: 'planted.requirement',
  clause: '9',
  level: 'required',
  statement: 'A requirement that was planted.',
  consequence: 'None.',
}

const check = (risk, run) => ({ id: 'CT-planted', requirement: requirement.id, title: 'planted', risk, run })
const defect = (override) => ({
  id: 'planted.defect',
  breaks: [requirement.id],
  summary: 'A defect that was planted.',
  override,
})

const fail = () => {
  throw new FailedExpectation('response.not-success', { difference: 'planted', actual: 'planted' })
}
/** Fails if the list is counted from 1, which is correct. */
const countsFromZero = check('read', async ({ rules }) => {
  const [first] = await rules.read()
  if (first.index !== 0) fail()
})
const expectsStatus = check('read', async ({ plugin }) => {
  if ((await plugin.status()).status !== 200) fail()
})
const rejectsEverything = defect(() => ({ acceptsCredentials: () => false }))

const plants = {
  none: { check: expectsStatus, defects: [rejectsEverything] },
  survivor: { check: expectsStatus, defects: [rejectsEverything, { ...defect(() => ({})), id: 'planted.survivor' }] },
  'false-alarm': { check: countsFromZero, defects: [rejectsEverything] },
  unproven: { check: check('read', async () => undefined), defects: [] },
  // Caught by default, but not if paths are disclosed without authentication, and no mask says so.
  'blind-spot': {
    check: expectsStatus,
    defects: [defect((hooks) => (hooks.disclosedWithoutAuth.includes('path') ? {} : rejectsEverything.override()))],
  },
  excuse: {
    check: expectsStatus,
    defects: [{ ...rejectsEverything, maskedBy: [{ answers: { 'plugin.index.base': '1' } }] }],
  },
  death: { check: expectsStatus, defects: [defect(() => process.exit(3))] },
}

const { check: planted, defects } = plants[new URL(import.meta.url).search.slice(1)]

export const apis = [
  {
    ...pluginApi,
    requirements: [...pluginApi.requirements, requirement],
    checks: [...pluginApi.checks, planted],
    defects: [...pluginApi.defects, ...defects],
  },
]
