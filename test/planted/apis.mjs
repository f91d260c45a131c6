// The plugin with one thing wrong with the kit. Which one stands behind the question mark of the URL.
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
/** Fails where the list is counted from 1, which is correct. */
const countsFromZero = check('read', async ({ rules }) => {
  const [first] = await rules.read()
  if (first.index !== 0) fail()
})
const statusIsServed = check('read', async ({ plugin }) => {
  if ((await plugin.status()).status !== 200) fail()
})
const nothingIsServed = defect(() => ({ acceptsCredentials: () => false }))

const plants = {
  none: { check: statusIsServed, defects: [nothingIsServed] },
  survivor: { check: statusIsServed, defects: [nothingIsServed, { ...defect(() => ({})), id: 'planted.survivor' }] },
  'false-alarm': { check: countsFromZero, defects: [nothingIsServed] },
  unproven: { check: check('read', async () => undefined), defects: [] },
  // Caught by default, and not where paths are disclosed without authentication, which no mask says.
  'blind-spot': {
    check: statusIsServed,
    defects: [defect((hooks) => (hooks.disclosedWithoutAuth.includes('path') ? {} : nothingIsServed.override()))],
  },
  excuse: {
    check: statusIsServed,
    defects: [{ ...nothingIsServed, maskedBy: [{ answers: { 'plugin.index.base': '1' } }] }],
  },
  death: { check: statusIsServed, defects: [defect(() => process.exit(3))] },
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
