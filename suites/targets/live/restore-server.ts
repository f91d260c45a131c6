import { type Draft, type Rule, sameContent } from '../../model/rule.ts'
import { foundIn, missingFrom } from '../../safety/list-state.ts'
import { ownByRange } from '../../safety/ownership.ts'
import { restoreList } from '../../safety/restore.ts'
import { restoreRules } from '../../safety/restore-rules.ts'
import { createPlugin } from '../../session/plugin.ts'
import { rulesIn } from '../../session/rules.ts'
import type { LiveServer } from './live-server.ts'
import { asBefore, type DesiredParameters, type StepName } from './step.ts'

/** What became of a server that was lent to the checks. */
export interface RestoredServer {
  readonly list: readonly Rule[]
  /** Rules of others that could not be put back. */
  readonly lost: readonly Draft[]
  /** Whether the rules of others stand in another order than before. */
  readonly reordered: boolean
}

/** How long to wait for a quiet moment of the list. */
const patienceMs = 10_000

/**
 * Gives the server back: takes the kit's rules away, adds those of others again, in their order,
 * and only then sets the parameters that stood before; the file with the rules wins over them.
 * Nothing is deleted but rules of the kit, so that it can be broken off and done again at any time.
 *
 * @throws {StepFailed} when a hook fails, or the server cannot be brought to answer
 * @throws {StepSkipped} when a person would not do a step
 */
export async function restoreServer(server: LiveServer): Promise<RestoredServer> {
  const { state, options } = server
  const key = await reach(server)
  const held = state.held
  const seen = await readWith(server, key)
  // What somebody else removed while it stood in the list is not the kit's to add again.
  state.order = foundIn([...seen, ...held], state.order)
  await refill(server, key, held)
  if (state.configured) {
    const steps = around(server, ['set-parameters'])
    await server.drive({ steps, desired: asBefore, patience: 'ready', gone: [], purpose: 'give-back' })
    // A server that loses rules with every restart lost them again.
    await refill(server, options.key, state.held)
  }
  const list = await readWith(server, options.key)
  const lost = missingFrom(list, state.order)
  const others = foundIn(state.order, list)
  const reordered = others.some((rule, at) => !sameContent(rule, state.order[at] ?? rule))
  if (lost.length === 0) {
    options.ledger.append({ event: 'returned' })
    state.touched = false
    state.held = []
  }
  return { list, lost, reordered: lost.length === 0 && reordered }
}

/** A key with which the list can be read; the server is started, or gets its old key, if it must be. */
async function reach(server: LiveServer): Promise<string> {
  const { state, options } = server
  const [known] = (await server.read()) === null ? [] : state.keys
  if (known !== undefined) return known
  const desired: DesiredParameters = { apiKey: 'as-before', copy: {} }
  const sets = state.configured && server.can('set-parameters')
  const held = state.held
  await server.drive({
    steps: around(server, sets ? ['set-parameters'] : []),
    desired: sets ? desired : asBefore,
    patience: 'ready',
    gone: [],
    purpose: 'give-back',
  })
  // Nobody deleted rules meanwhile, so whatever was held before and is not there still is.
  state.held = missingFrom(await readWith(server, options.key), held)
  return options.key
}

/** Takes away what is the kit's and adds what it holds of others. */
async function refill(server: LiveServer, key: string, held: readonly Draft[]): Promise<void> {
  const { logins, ledger } = server.options
  const { order } = server.state
  const client = server.client
  // Nobody else could add a rule meanwhile; and those of `Copy_N` were in no request.
  await restoreList({ client, key, isOwn: ownByRange(logins, order), ledger, patienceMs })
  await restoreRules({ client, key, logins, ledger, order, held })
}

function around({ options, state }: LiveServer, steps: readonly StepName[]): readonly StepName[] {
  const { hooks } = options
  if (!(hooks.can('stop') && hooks.can('start'))) return [...steps, 'restart']
  return state.running ? ['stop', ...steps, 'start'] : [...steps, 'start']
}

async function readWith(server: LiveServer, key: string): Promise<readonly Rule[]> {
  return rulesIn(await createPlugin(server.client, key).list())
}
