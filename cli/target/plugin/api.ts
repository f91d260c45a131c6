import { randomBytes } from 'node:crypto'
import { plural } from '../../../reports/phrases.ts'
import { visibleLine } from '../../../reports/visible.ts'
import { pluginQuestions } from '../../../spec/plugin/questions.ts'
import { pluginRequirements } from '../../../spec/plugin/requirements.ts'
import { errorTextProbes, pluginChecks, pluginObservations } from '../../../suites/checks/plugin/all.ts'
import { proxySecrets } from '../../../suites/client/transport.ts'
import { publicCopySyntax } from '../../../suites/model/copy-syntax.ts'
import { defineApi } from '../../../suites/runner/define-api.ts'
import { casesIn, plan } from '../../../suites/runner/plan.ts'
import { createPluginContext } from '../../../suites/runner/plugin/create-context.ts'
import { createOwnContexts } from '../../../suites/runner/plugin/own-context.ts'
import type { PluginSettings, SafetySettings } from '../../../suites/runner/plugin/settings.ts'
import type { ListState } from '../../../suites/safety/list-state.ts'
import type { LiveDriver } from '../../../suites/targets/live/live-driver.ts'
import type { Target } from '../../../suites/targets/target.ts'
import { leaseLiveServer } from '../../life-cycle/open-live.ts'
import { describeOperators } from '../../options/life-cycle-options.ts'
import type { TargetChoice } from '../../options/run-options.ts'
import type { ApiUnderTest, ChosenApi, OpenApi, SessionOptions } from '../api.ts'
import { notice } from '../notice.ts'
import { announceWrites, rejectUnfinished } from './consent.ts'
import { estimateDuration, estimateWrites, lifeCycleOf } from './estimates.ts'
import { inspectPlugin, pluginExaminations } from './examinations.ts'
import { type Reached, reachRunning, startOwn } from './open.ts'
import { createReads } from './reads.ts'
import { simulatePlugin } from './simulate.ts'
import { verifyList } from './verify.ts'

export const pluginApi: ApiUnderTest<OpenPlugin> = {
  ...defineApi({
    name: 'plugin',
    requirements: pluginRequirements,
    questions: pluginQuestions,
    checks: pluginChecks,
    observations: pluginObservations,
    probes: errorTextProbes,
    exchangePrefix: '',
    createContext: createPluginContext,
    createOwnContexts,
  }),
  choose: ({ target, lifeCycle }) => (target.kind === 'none' ? null : choosePlugin(target, lifeCycle?.manual ?? false)),
  selfTest: async () => (await import('./self-test.ts')).pluginSelfTest,
}

/** An open plugin. `inspect` and `consent` update it. */
export interface OpenPlugin extends OpenApi {
  target: Target
  /** Null until `inspect`, and if it cannot be read. Nothing may be written then. */
  list: ListState | null
  readonly settings: PluginSettings
}

type Choice = Exclude<TargetChoice, { kind: 'none' }>

function choosePlugin(choice: Choice, manual: boolean): ChosenApi<OpenPlugin> {
  const launchKey = `tck-${randomBytes(12).toString('hex')}`
  // In manual mode a person has to type the key.
  const temporaryKey = manual ? `tck-${randomBytes(4).toString('hex')}` : `${launchKey}-lent`
  const key = choice.key ?? `${launchKey}-main`
  const proxy = choice.kind === 'url' ? proxySecrets(choice.transport) : []
  const secrets = [key, temporaryKey, launchKey, ...proxy]
  return {
    target: { key },
    secrets,
    ...(choice.kind === 'url' && {
      examine: (terms, hasKey) =>
        pluginExaminations.examine(createReads({ ...choice, ...(!hasKey && { key: null }), isOwn: false }, terms)),
    }),
    async open(terms) {
      const { options } = terms
      const keys = { ...terms, launchKey, secrets }
      if (choice.kind !== 'url') return openPlugin(await startOwn(choice, key, terms), choice, keys)
      rejectUnfinished(choice.url, choice.transport, options)
      return openPlugin(reachRunning(choice, temporaryKey, options), choice, keys)
    },
  }
}

function nameOf(choice: Choice): string {
  if (choice.kind === 'container') return `the server of the image ${visibleLine(choice.image)}`
  return { simulator: 'the embedded simulator', exec: 'the server of --exec', url: 'the server' }[choice.kind]
}

function cannotRestore(members: readonly string[]): string {
  const names = members.map((name) => `\`${visibleLine(name)}\``).join(', ')
  return `existing rules have members that the kit cannot restore (${names}): empty the list, or use \`--exec\` or \`--container\``
}

/** Simulators start slowly with a long list, and more rules before those of the kit change no failure. */
const maxRules = 100

function openPlugin(
  { target, driver, missing }: Reached,
  choice: Choice,
  terms: SessionOptions & Pick<PluginSettings, 'launchKey' | 'secrets'>,
): OpenPlugin {
  const { options, shared, launchKey, secrets } = terms
  const { seed, thorough, logins, timeoutMs, maxRequestsPerSecond, maxFill, lifeCycle, only, skip } = options
  // The kit knows the syntax of its own simulator.
  const copySyntax = options.copySyntax ?? (target.kind === 'simulator' ? publicCopySyntax : null)
  const { url, transport } = target
  const isForeign = target.server === null
  let safety: SafetySettings | null = null
  let live: LiveDriver | null = null
  let keepServerOf: string | undefined
  let reasons = missing
  let further: readonly string[] = []
  const open: OpenPlugin = {
    api: pluginApi,
    ...{ kind: target.kind, url, transport, target, risk: options.risk, list: null },
    ...{ identity: null, driver },
    get capabilities() {
      return open.target.capabilities
    },
    get settings() {
      return {
        ...{ target: open.target, risk: open.risk, seed, thorough, logins, timeoutMs, maxRequestsPerSecond, maxFill },
        ...{ copySyntax, launchKey, secrets, safety, ...(keepServerOf === undefined ? {} : { keepServerOf }) },
      }
    },
    conditions() {
      const { risk, list, capabilities } = open
      const rules = list?.rules.slice(-maxRules) ?? []
      return { risk, capabilities, shared: target.kind === 'url', rules }
    },
    describe() {
      const operator = lifeCycle === null ? '' : `, life cycle by ${describeOperators(lifeCycle)}`
      const count = open.list?.rules.length ?? 0
      // The last line of the run has the number of rules of the others.
      const rules = `${target.kind === 'url' ? 'with' : 'started with'} ${plural(count, 'rule')} that must not change`
      return `${nameOf(choice)} at ${url} (risk ${open.risk}${operator}${count === 0 ? '' : `, ${rules}`})`
    },
    async inspect() {
      const keySource = choice.kind === 'url' ? choice.keySource : null
      const reads = createReads({ ...target, keySource, isOwn: !isForeign }, terms)
      const { keyAs, further: found, ...inspected } = await inspectPlugin(reads)
      further = found
      Object.assign(open, inspected)
      if (keyAs !== undefined) {
        open.target = { ...open.target, keyAs }
        notice(options, 'The key is rejected in `X-API-Key`; it is sent as `Authorization: Bearer`.\n')
      }
      if (isForeign && further.length > 0 && open.capabilities.includes('launch')) {
        reasons = { ...missing, launch: cannotRestore(further) }
        open.target = { ...open.target, capabilities: open.capabilities.filter((one) => one !== 'launch') }
      }
      // The clean-up sends the key in X-API-Key.
      const unsafe =
        open.list === null ? 'The list of rules cannot be read' : keyAs && 'One of the two headers is not accepted'
      if (unsafe === undefined || !isForeign || open.risk === 'read') return
      notice(options, `${unsafe}, so nothing is written: the risk is lowered to read.\n`)
      open.risk = 'read'
    },
    plan(checks) {
      const isShared = target.temporaryKey !== undefined
      const { risk, capabilities } = open
      return plan({ checks, risk, capabilities, missing: reasons, shared: isShared, only, skip })
    },
    simulate: () => simulatePlugin(open.settings),
    estimateWrites: (planned) => estimateWrites(planned, open.settings),
    // With a server of the kit's own most of the time goes into its starts.
    estimateDuration: async (planned) => (isForeign ? estimateDuration(planned, open.settings, terms) : null),
    async consent(planned, writes = estimateWrites(planned, open.settings)) {
      if (options.keepServer) keepServerOf = planned.findLast(({ outOfScope }) => outOfScope === null)?.id
      const { list } = open
      if (!isForeign || list === null) return
      // `parity` has steps instead of a plan.
      const fills = planned.length === 0 || casesIn(planned, pluginApi.cases).some((check) => check.fills)
      safety = { before: list.rules, ledgerFile: null, mostWrites: 0 }
      if (open.risk === 'read') return
      const lifeCycleUse = await lifeCycleOf(planned, open)
      // No check will run.
      if (terms.signal.aborted) return
      const announced = { settings: open.settings, list, further, writes, fills, lifeCycle: lifeCycleUse, terms }
      safety = { before: list.rules, ledgerFile: await announceWrites(announced), mostWrites: writes.most }
      const driving = { pace: shared.pace, redact: shared.redactSecrets, signal: terms.signal }
      live = lifeCycle && (await leaseLiveServer(open.settings, lifeCycle, driving))
      open.driver = live
    },
    async verify() {
      const { list } = open
      if (list === null) return {}
      const context = createPluginContext({ ...open.settings, safety: null }, open.driver, shared)
      return { harm: await verifyList(context, list, safety?.ledgerFile ?? null, { ...options, ...shared, live }) }
    },
    running: () => driver?.running() ?? [],
    close: async () => driver?.discardAll(),
  }
  return open
}
