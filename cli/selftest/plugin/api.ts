import { setTimeout as pause } from 'node:timers/promises'
import type { Profile } from '../../../simulator/index.ts'
import { type Defect, pluginDefects } from '../../../simulator/plugin/defects/index.ts'
import { pluginQuestions } from '../../../spec/plugin/questions.ts'
import { pluginRequirements } from '../../../spec/plugin/requirements.ts'
import { pluginChecks, pluginObservations } from '../../../suites/checks/plugin/all.ts'
import { ownServerCapabilities } from '../../../suites/session/check.ts'
import { createEmbeddedDriver } from '../../../suites/targets/embedded.ts'
import type { OwnDriver } from '../../../suites/targets/own-servers.ts'
import type { Api } from '../api.ts'
import { judge } from './judge.ts'

/** Room for the rules of others and for the most that a check adds without filling the list. */
const capacity = 32

/** The copy-trade plugin. */
export const pluginApi: Api<Defect> = {
  name: 'plugin',
  requirements: pluginRequirements,
  questions: pluginQuestions,
  checks: pluginChecks,
  observations: pluginObservations,
  defects: pluginDefects,
  unmeasurable: [
    {
      subjects: /^plugin\.body\.invalid-utf-8$/,
      where: { 'plugin.body.unknown-member': 'refused' },
      reason: 'the text that is no UTF-8 is sent in a further member, and that is refused in any case',
    },
  ],
  judge({ answers, defect, checks, seed }) {
    const profile = answers as Partial<Profile>
    const override = defect === null ? {} : { override: defect.override }
    return judge({
      driver: awaitingDefaultPort(createEmbeddedDriver({ capacity, profile, ...override })),
      capabilities: [...ownServerCapabilities, 'capacity', 'stated-capacity'],
      capacity,
      chosen: { checks, seed },
    })
  },
}

/** How long the one default port may be in use by other simulators of this selftest. */
const longestWaitMs = 20_000

/** Simulators beside each other take turns with the default port. */
function awaitingDefaultPort(driver: OwnDriver): OwnDriver {
  return {
    ...driver,
    async prepare(settings) {
      const deadline = performance.now() + longestWaitMs
      let prepared = await driver.prepare(settings)
      while (prepared === 'port-taken' && performance.now() < deadline) {
        await pause(5)
        prepared = await driver.prepare(settings)
      }
      return prepared
    },
  }
}
