import { copyParameter, type Draft, type Rule } from '../../model/rule.ts'
import { createPlugin } from '../../session/plugin.ts'
import { type Driver, DriverFailed, type ServerSettings } from '../driver.ts'
import type { LiveServer } from './live-server.ts'
import { type RestoredServer, restoreServer } from './restore-server.ts'
import { asBefore, type DesiredParameters, type StepName, StepSkipped, sameParameters } from './step.ts'

/** A driver that also gives the server back as it was found. */
export interface LiveDriver extends Driver {
  /** Null if nothing was done to the server. */
  restoreServer(): Promise<RestoredServer | null>
}

/** Beyond this many rules of the kit, a list is emptied by deleting the file instead. */
const removedOneByOne = 30

/** What a check was lent, and what it has asked for since the last start. */
interface Loan {
  settings: ServerSettings
  readonly queue: StepName[]
  started: boolean
}

/**
 * A driver with one server, which is lent to one check after the other. Steps are gathered until
 * the next start, so that a person is asked for all of them at once.
 *
 * Before the list is taken away for the first time, the server gets a key that only the kit knows:
 * from then on nobody else can add a rule that would be lost, and the hooks have proved that they
 * do what they claim before anything is deleted.
 */
export function createLiveDriver(server: LiveServer, temporaryKey: string): LiveDriver {
  const { state, options } = server
  const inTurn = oneAfterTheOther()
  let loan: Loan | null = null
  let locked = false
  let declined = false

  const lent = () => {
    if (loan === null) throw new DriverFailed('the server was not lent')
    return loan
  }
  const emptyParameters: DesiredParameters = { apiKey: { value: temporaryKey }, copy: {} }

  const lock = async () => {
    if (locked) return
    await server.look()
    const desired: DesiredParameters = { apiKey: { value: temporaryKey }, copy: 'as-before' }
    await server.drive({
      steps: restartWith(['set-parameters']),
      desired,
      patience: 'ready',
      gone: [],
      purpose: 'check',
    })
    await server.look()
    // There need be no file yet. Whether it is really deleted shows in a rule that can only be in it.
    await addProbe()
    locked = true
  }

  const addProbe = async () => {
    const { logins, ledger } = options
    const probe = { master: logins.from, follower: logins.to, mode: 'mult', value: 1, direction: 'same' }
    ledger.append({
      event: 'write',
      request: 'POST /api/rules',
      body: copyParameter(probe),
      logins: [logins.from, logins.to],
    })
    await createPlugin(server.client, temporaryKey).add(probe)
  }

  /** Whether the list could be emptied rule by rule, so that no restart is needed. */
  const emptied = async () => {
    if (!(state.answering && sameParameters(emptyParameters, state.desired))) return false
    const list = await server.look()
    if (list === null || list.length > removedOneByOne) return false
    const plugin = createPlugin(server.client, temporaryKey)
    for (const rule of list.toReversed()) {
      options.ledger.append({ event: 'write', request: `DELETE /api/rules/${rule.index}`, body: null, logins: [] })
      await plugin.remove(rule.index)
    }
    return (await server.read())?.length === 0
  }

  const canStopAndStart = () => options.hooks.can('stop') && options.hooks.can('start')

  /** These steps within a restart; the server is down meanwhile wherever that can be had. */
  const restartWith = (steps: readonly StepName[]): readonly StepName[] => {
    if (!canStopAndStart()) return [...steps, 'restart']
    return state.running ? ['stop', ...steps, 'start'] : [...steps, 'start']
  }

  const startAnew = async (settings: ServerSettings, patience: 'ready' | 'brief') => {
    await lock()
    if (settings.list === 'empty' && (await emptied())) return true
    const before = (await server.look()) ?? []
    const desired = desiredParametersOf(settings, options.key)
    const steps: StepName[] = sameParameters(desired, state.desired) ? [] : ['set-parameters']
    const gone = before.filter((rule) => !isCopied(rule, settings.parameters))
    return server.drive({
      steps: restartWith([...steps, 'delete-rules-file']),
      desired,
      patience,
      gone,
      purpose: 'check',
    })
  }

  const startAgain = async ({ settings, queue }: Loan, patience: 'ready' | 'brief') => {
    const asked = queue.splice(0)
    const desired = desiredParametersOf(settings, options.key)
    const changes = !sameParameters(desired, state.desired)
    if (state.running && asked.length === 0 && !changes) return true
    await server.look()
    return server.drive({ steps: stepsOf(asked, changes), desired, patience, gone: [], purpose: 'check' })
  }

  /** What was asked for, in that order; the parameters are set last, while the server is down. */
  const stepsOf = (asked: readonly StepName[], changes: boolean): readonly StepName[] => {
    const last: readonly StepName[] = changes ? ['set-parameters'] : []
    const stop = asked.indexOf('stop')
    if (!canStopAndStart() || stop === -1) return restartWith([...last, ...asked.filter((step) => step !== 'stop')])
    return [...asked.slice(0, stop), ...restartWith([...asked.slice(stop + 1), ...last])]
  }

  return {
    prepare: (settings) =>
      inTurn(async () => {
        if (settings.defaultPort || settings.capacity !== null) {
          throw new DriverFailed('the port and the capacity of this server cannot be chosen')
        }
        loan = { settings, queue: [], started: false }
        return { id: 'live', url: options.url }
      }),
    configure: (_id, settings) =>
      inTurn(async () => {
        lent().settings = settings
      }),
    start: (_id, patience) =>
      inTurn(async () => {
        const current = lent()
        const first = !current.started
        current.started = true
        if (declined) throw new StepSkipped('the person at the terminal left out all checks that need steps')
        try {
          if (first && current.settings.list !== 'any') return await startAnew(current.settings, patience)
          return await startAgain(current, patience)
        } catch (error) {
          if (error instanceof StepSkipped) declined = error.forAll
          throw error
        }
      }),
    stop: (_id) => inTurn(async () => void lent().queue.push('stop')),
    deleteRulesFile: (_id) => inTurn(async () => void lent().queue.push('delete-rules-file')),
    crash: () => Promise.reject(new DriverFailed('this server cannot be killed')),
    hasRulesFile: () => Promise.reject(new DriverFailed('the rules file of this server cannot be seen')),
    writeRulesFile: () => Promise.reject(new DriverFailed('the rules file of this server cannot be written')),
    discard: (_id) =>
      inTurn(async () => {
        loan = null
      }),
    restoreServer: () => inTurn(async () => (state.touched ? restoreServer(server) : null)),
  }
}

/** What the settings of a check mean for a server that has a key and rules of its own. */
function desiredParametersOf({ parameters, list }: ServerSettings, key: string): DesiredParameters {
  const { API_Key: apiKey, ...copy } = parameters
  return {
    apiKey: apiKey === key ? asBefore.apiKey : { value: apiKey ?? null },
    copy: list === 'any' && Object.keys(copy).length === 0 ? 'as-before' : copy,
  }
}

function isCopied(rule: Rule | Draft, parameters: Readonly<Record<string, string>>): boolean {
  return Object.values(parameters).includes(copyParameter(rule))
}

/** The parent thread may want the server back while a check is still being served. */
function oneAfterTheOther(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
