import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { AccountsRecord } from '../../../reports/report.ts'
import { platformQuestions } from '../../../spec/platform/questions.ts'
import { platformRequirements } from '../../../spec/platform/requirements.ts'
import { platformChecks, platformObservations } from '../../../suites/checks/platform/all.ts'
import { proxySecrets } from '../../../suites/client/transport.ts'
import { defineApi } from '../../../suites/runner/define-api.ts'
import { casesIn, type PlannedCheck, plan } from '../../../suites/runner/plan.ts'
import { createPlatformContext, type PlatformSettings } from '../../../suites/runner/platform/context.ts'
import { type AccountEntry, readAccountLedger } from '../../../suites/safety/accounts.ts'
import { ledgerName, openLedger } from '../../../suites/safety/ledger.ts'
import type { Capability } from '../../../suites/session/check.ts'
import type { AccountSafety, PlatformTarget } from '../../../suites/targets/target.ts'
import type { PlatformChoice } from '../../options/platform-options.ts'
import type { ApiUnderTest, ChosenApi, OpenApi, SessionOptions } from '../api.ts'
import { announceAndAsk } from '../notice.ts'
import { createReads, platformExaminations, timeIfSignaturesCountOnce } from './examinations.ts'
import { type Granted, randomKeyPair, simulatePlatform, startPlatform } from './simulate.ts'

export const platformApi: ApiUnderTest = {
  ...defineApi({
    name: 'platform',
    requirements: platformRequirements,
    questions: platformQuestions,
    checks: platformChecks,
    observations: platformObservations,
    exchangePrefix: 'p-',
    createContext: (settings: PlatformSettings, _driver, shared) => createPlatformContext(settings, shared),
  }),
  choose: ({ platform }) => platform && choosePlatform(platform),
  selfTest: async () => (await import('./self-test.ts')).platformSelfTest,
}

function choosePlatform(choice: PlatformChoice): ChosenApi {
  const { key, secret } = choice.kind === 'url' ? choice : randomKeyPair()
  const proxy = choice.kind === 'url' ? proxySecrets(choice.transport) : []
  const secrets = [key, ...(secret === null ? [] : [secret]), ...proxy]
  return {
    target: { key },
    secrets,
    ...(choice.kind === 'url' && {
      examine: (terms) => platformExaminations.examine(createReads(choice, terms)),
    }),
    async open(terms) {
      const { platformRisk: risk } = terms.options
      // Accounts stay on the platform, so the label says who created them and when. It is short, since names may be limited.
      const day = new Date().toISOString().slice(2, 10).replaceAll('-', '')
      const label = `copytrade-tck ${day} ${randomBytes(2).toString('hex')}`
      const granted = { key, secret, risk, label }
      const opened = choice.kind === 'url' ? reachPlatform(choice, granted) : await startPlatform(granted)
      return openPlatform(opened, { ...terms, secrets })
    },
  }
}

function openPlatform(
  { stop, maxAccounts, ...opened }: Awaited<ReturnType<typeof startPlatform>>,
  terms: SessionOptions & Pick<PlatformSettings, 'secrets'>,
): OpenApi {
  const { options, secrets } = terms
  const { timeoutMs, maxRequestsPerSecond, only, skip } = options
  let { target } = opened
  const { url, transport, capabilities, risk, owned } = target
  const settings = (): PlatformSettings => ({ target, timeoutMs, maxRequestsPerSecond, secrets })
  return {
    api: platformApi,
    kind: owned ? 'simulator' : 'url',
    ...{ url, transport, capabilities, risk },
    get settings() {
      return settings()
    },
    driver: null,
    identity: null,
    conditions: () => ({ risk, capabilities, shared: !owned }),
    describe: () => `the platform at ${url} (risk ${risk})`,
    async inspect() {
      const reads = createReads(target, terms)
      await platformExaminations.require(reads)
      const readsSignedAt = await timeIfSignaturesCountOnce(reads)
      if (readsSignedAt !== null) target = { ...target, readsSignedAt }
    },
    plan: (checks) => plan({ checks, risk, capabilities, only, skip, mostAccounts: maxAccounts }),
    simulate: () => simulatePlatform(settings()),
    createdByRun(planned) {
      const mostAccounts = owned ? 0 : accountsToCreate(planned)
      return mostAccounts === 0 ? null : describeAccounts(target, mostAccounts)
    },
    async consent(planned) {
      if (owned) return
      target = { ...target, safety: await announceAccounts(target, accountsToCreate(planned), terms) }
    },
    verify: async () => ({ accounts: createdAccounts(target) }),
    close: stop,
  }
}

/** The maximum number of accounts that the planned checks create; on a disposable platform it can be more. */
function accountsToCreate(planned: readonly PlannedCheck[]): number {
  const counts = casesIn(planned, platformApi.cases).flatMap(
    ({ creates, needs }) => creates ?? (needs?.includes('disposable-platform') ? 1 : []),
  )
  // The sample is created once and shared by the checks.
  return counts.reduce<number>((sum, count) => sum + (count === 'sample' ? 0 : count), counts.length > 0 ? 1 : 0)
}

/** The accounts in the ledger of a foreign platform; null for a disposable one. */
function createdAccounts({ safety, group }: PlatformTarget): AccountsRecord | null {
  if (safety === null) return null
  const read = safety.ledgerFile === null ? null : readAccountLedger(safety.ledgerFile)
  return read ?? { group, most: 0, created: [], uncertain: [] }
}

/** Uses a running platform. Sends nothing. */
function reachPlatform(choice: Extract<PlatformChoice, { kind: 'url' }>, granted: Granted) {
  const { kind: _, maxAccounts, disposable, ...reached } = choice
  const { group } = choice
  const capabilities: readonly Capability[] = [
    'platform',
    ...(granted.secret === null ? [] : (['platform-secret'] as const)),
    ...(group === null ? [] : (['platform-group'] as const)),
    ...(disposable ? (['disposable-platform'] as const) : []),
  ]
  const target: PlatformTarget = { ...reached, ...granted, owned: false, capabilities, safety: noAccounts }
  return { target, maxAccounts: disposable ? Number.POSITIVE_INFINITY : maxAccounts, stop: async () => undefined }
}

const noAccounts: AccountSafety = { ledgerFile: null, mostAccounts: 0 }

const isDisposable = ({ capabilities }: PlatformTarget) => capabilities.includes('disposable-platform')

function describeAccounts(target: PlatformTarget, mostAccounts: number): string {
  const { group, label, url } = target
  if (isDisposable(target)) return `any number of accounts on the platform at ${url}, and may change anything there`
  const what = mostAccounts === 1 ? '1 demo account' : `at most ${mostAccounts} demo accounts`
  return `${what} in the group ${group} at ${url}, named like "${label} 001"; they cannot be removed through this API`
}

/** Asks for consent. Opens the ledger unless the platform is disposable. @throws {UsageError} without consent */
async function announceAccounts(target: PlatformTarget, mostAccounts: number, terms: SessionOptions) {
  if (target.group === null || mostAccounts === 0 || terms.signal.aborted) return noAccounts
  await announceAndAsk(`The run creates ${describeAccounts(target, mostAccounts)}.\n`, terms)
  if (isDisposable(target)) return null
  const { options, shared, startedAt } = terms
  const ledgerFile = join(options.out, ledgerName(target.url, 'accounts'))
  const ledger = openLedger<AccountEntry>(ledgerFile, shared.redactSecrets)
  ledger.append({
    event: 'open',
    schema: 'copytrade-tck/account-ledger@1',
    target: target.url,
    startedAt: startedAt.toISOString(),
    group: target.group,
    label: target.label,
    mostAccounts,
  })
  ledger.close()
  return { ledgerFile, mostAccounts }
}
