import { randomBytes } from 'node:crypto'
import { platformQuestions } from '../../../spec/platform/questions.ts'
import { platformRequirements } from '../../../spec/platform/requirements.ts'
import { platformChecks, platformObservations } from '../../../suites/checks/platform/all.ts'
import { proxySecrets } from '../../../suites/client/transport.ts'
import { plan } from '../../../suites/runner/plan.ts'
import type { PlatformSettings } from '../../../suites/runner/platform/context.ts'
import { apiOf } from '../../../suites/session/check.ts'
import type { PlatformTarget } from '../../../suites/targets/platform-target.ts'
import type { PlatformChoice } from '../../options/platform-options.ts'
import type { ApiUnderTest, ChosenApi, OpenApi, SessionTerms } from '../api.ts'
import { accountsToCreate, createdAccounts } from './accounts.ts'
import { announceAccounts, describeAccounts } from './consent.ts'
import { inspectPlatform } from './inspect.ts'
import { randomKeyPair } from './key-pair.ts'
import { reachPlatform, startPlatform } from './open.ts'
import { simulatePlatform } from './simulate.ts'

/** The platform API. */
export const platformApi: ApiUnderTest<OpenPlatform> = {
  name: 'platform',
  requirements: platformRequirements,
  questions: platformQuestions,
  checks: [...platformChecks, ...platformObservations],
  choose: ({ platform }) => platform && choosePlatform(platform),
}

/** A platform that a session has open. */
export interface OpenPlatform extends OpenApi {
  readonly kind: 'simulator' | 'url'
  readonly target: PlatformTarget
  readonly settings: { readonly platform: PlatformSettings }
}

function choosePlatform(choice: PlatformChoice): ChosenApi<OpenPlatform> {
  const { key, secret } = choice.kind === 'url' ? choice : randomKeyPair()
  const proxy = choice.kind === 'url' ? proxySecrets(choice.transport) : []
  const secrets = [key, ...(secret === null ? [] : [secret]), ...proxy]
  return {
    target: { key },
    secrets,
    async open(terms) {
      const { platformRisk: risk } = terms.options
      // It stays in the lists of the platform, so it says whose it is, and from when.
      const label = `copytrade-tck ${new Date().toISOString().slice(0, 10)} ${randomBytes(2).toString('hex')}`
      if (choice.kind === 'url') {
        const target = reachPlatform(choice, { risk, label })
        return openPlatform(target, { ...terms, secrets, maxAccounts: choice.maxAccounts, stop: async () => undefined })
      }
      const { target, stop } = await startPlatform({ key, secret: secret ?? '', risk, label })
      return openPlatform(target, { ...terms, secrets, maxAccounts: Number.POSITIVE_INFINITY, stop })
    },
  }
}

interface PlatformTerms extends SessionTerms {
  readonly secrets: readonly string[]
  /** The most accounts that may be created; infinite on a platform that the kit started. */
  readonly maxAccounts: number
  readonly stop: () => Promise<void>
}

function openPlatform(opened: PlatformTarget, terms: PlatformTerms): OpenPlatform {
  const { options, shared, startedAt, signal, secrets, maxAccounts, stop } = terms
  const { timeoutMs, maxRequestsPerSecond, only, skip } = options
  const { url, transport, capabilities, risk, owned } = opened
  let target = opened
  const settings = (): PlatformSettings => ({ target, timeoutMs, maxRequestsPerSecond, secrets })
  return {
    api: platformApi,
    kind: owned ? 'simulator' : 'url',
    ...{ url, transport, capabilities, risk },
    get target() {
      return target
    },
    get settings() {
      return { platform: settings() }
    },
    driver: null,
    describe: () => `the platform at ${url} (risk ${risk})`,
    inspect: () => inspectPlatform(settings(), shared),
    plan(cases) {
      const checks = cases.filter((check) => apiOf(check) === 'platform')
      return plan({ checks, risk, capabilities, only, skip, mostAccounts: maxAccounts })
    },
    simulate: () => simulatePlatform(settings()),
    // What it creates is counted as accounts.
    estimateWrites: () => ({ usual: 0, most: 0 }),
    // Its checks send few requests.
    estimateDuration: async () => null,
    createdByRun(planned) {
      const mostAccounts = owned ? 0 : accountsToCreate(planned)
      return mostAccounts === 0 ? null : describeAccounts(target, mostAccounts)
    },
    async consent(planned) {
      if (owned) return
      const mostAccounts = accountsToCreate(planned)
      const { redactSecrets: redact } = shared
      const safety = await announceAccounts({ target, mostAccounts, options, startedAt, signal, redact })
      target = { ...target, safety }
    },
    verify: async () => ({ accounts: createdAccounts(target) }),
    close: stop,
  }
}
