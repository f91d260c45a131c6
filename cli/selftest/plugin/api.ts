import { combine } from '../../../simulator/defect-parts/combine.ts'
import type { Profile } from '../../../simulator/index.ts'
import { type Defect, pluginDefects } from '../../../simulator/plugin/defects/index.ts'
import { pluginQuestions } from '../../../spec/plugin/questions.ts'
import { pluginRequirements } from '../../../spec/plugin/requirements.ts'
import { pluginChecks, pluginObservations } from '../../../suites/checks/plugin/all.ts'
import { publicCopySyntax } from '../../../suites/model/copy-syntax.ts'
import { ownServerCapabilities } from '../../../suites/session/check.ts'
import { createEmbeddedDriver } from '../../../suites/targets/embedded.ts'
import type { Api } from '../api.ts'
import { type Conditions, runScopes } from '../run-scopes.ts'
import { judge } from './judge.ts'

/** Enough for the foreign rules and for what a check adds without filling the list. */
const capacity = 32

const everything: Conditions = {
  risk: 'exclusive',
  capabilities: [...ownServerCapabilities, 'capacity', 'stated-capacity'],
  shared: false,
}

/** What the simulator reads where its profile has another syntax than the public one. */
export const syntaxWithSemicolons = '{master};{followers};{mode};{value};{direction}'

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
      reason: 'the invalid UTF-8 is sent in an additional member, which is rejected in any case',
    },
  ],
  runScopes,
  otherAnswers: { 'plugin.add.position': 'start' },
  judge({ answers, defects, checks, seed, scope = everything }) {
    const { capabilities, risk, shared } = scope
    const profile = answers as Partial<Profile>
    const override = combine(defects.map((defect) => defect.override))
    return judge({
      driver: createEmbeddedDriver({ capacity, profile, override }),
      capabilities,
      risk,
      shared,
      capacity: capabilities.includes('stated-capacity') ? capacity : null,
      copySyntax: profile['plugin.start.copy-syntax'] === 'other' ? syntaxWithSemicolons : publicCopySyntax,
      chosen: { checks, seed },
    })
  },
}
