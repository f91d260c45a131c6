import { combine } from '../../../simulator/defect-parts/combine.ts'
import { type PlatformDefect, platformDefects } from '../../../simulator/platform/defects/index.ts'
import type { PlatformProfile } from '../../../simulator/platform/index.ts'
import { platformQuestions } from '../../../spec/platform/questions.ts'
import { platformRequirements } from '../../../spec/platform/requirements.ts'
import { platformChecks, platformObservations } from '../../../suites/checks/platform/all.ts'
import type { Api } from '../api.ts'
import { judgePlatform } from './judge.ts'

/** The platform API. */
export const platformApi: Api<PlatformDefect> = {
  name: 'platform',
  requirements: platformRequirements,
  questions: platformQuestions,
  checks: platformChecks,
  observations: platformObservations,
  defects: platformDefects,
  runScopes: [],
  otherAnswers: null,
  unmeasurable: [
    {
      subjects:
        /^platform\.(list\.(?!path)|create\.(refused-adds|same-twice|balance-third)|robust\.(parallel|overflowing)|signing\.covers-query)/,
      where: { 'platform.list.path': 'none' },
      reason: 'accounts that are listed nowhere cannot be observed',
    },
    {
      subjects: /^platform\.list\.created-fields$/,
      where: { 'platform.list.fields': 'known' },
      reason: 'the list does not show the fields in question',
    },
    {
      subjects: /^platform\.signing\.(?!check)/,
      where: { 'platform.signing.check': 'off' },
      reason: 'signatures are not verified',
    },
    {
      subjects: /^platform\.signing\.without-timestamp$/,
      where: { 'platform.signing.check': 'required' },
      reason: 'a request without a timestamp counts as unsigned, and unsigned requests are rejected',
    },
    ...['404', '400'].map((status) => ({
      subjects: /^platform\.method\.allow$/,
      where: { 'platform.method.account': status },
      reason: 'where wrong methods get another status there may be no 405 to observe',
    })),
  ],
  judge({ answers, defects, checks, seed }) {
    const profile = answers as Partial<PlatformProfile>
    const override = combine(defects.map((defect) => defect.override))
    return judgePlatform({ override, profile }, { checks, seed })
  },
}
