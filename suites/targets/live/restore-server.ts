import { type Draft, sameContent } from '../../model/rule.ts'
import { restoreList } from '../../safety/clean-up.ts'
import { readLedger } from '../../safety/ledger.ts'
import { foundIn, missingFrom } from '../../safety/list-state.ts'
import { ownByRange } from '../../safety/ownership.ts'
import { readList } from '../../safety/protected-list.ts'
import { restoreRules } from '../../safety/restore-rules.ts'
import { type LiveServer, noticeOrder, restartWith } from './live-server.ts'
import { asBefore, type DesiredParameters, type StepName } from './step.ts'

/** `lost`: the foreign rules that are still missing. `reordered`: the others are in another order than before. */
export type RestoredServer = Awaited<ReturnType<typeof restoreServer>>

/** How long to wait until the list stays unchanged. */
const timeoutMs = 10_000

/**
 * Restores the server: removes the kit's rules, adds the removed foreign rules again in their order, and sets the
 * original parameters last, because the rules file overrides them. Deletes only rules of the kit, so that it can be
 * interrupted and repeated at any time. Throws `StepFailed`, and `StepSkipped` if a person skips a step.
 */
export async function restoreServer(server: LiveServer) {
  const { state, options, client } = server
  const key = await findKey(server)
  const { removed } = state
  const current = await readList({ client, key })
  noticeOrder(current, state, options.ledger)
  // A rule that another client removed while it was in the list is not added again.
  state.order = foundIn([...current, ...removed], state.order)
  await refill(server, key, removed)
  if (state.configured) {
    await startAgain(server, ['set-parameters'], asBefore)
    // A server that loses its list at every restart has lost it again. Single rules may have been removed by a client.
    const isWhole = state.removed.length > 1 && state.removed.length === state.order.length
    await refill(server, options.key, isWhole ? state.removed : [])
  }
  const list = await readList({ client, key: options.key })
  // Another client may have removed rules that the kit never removed.
  const lost = foundIn([...removed, ...state.removed], missingFrom(list, state.order))
  const order = foundIn(list, state.order)
  const reordered = foundIn(order, list).some((rule, at) => !sameContent(rule, order[at] ?? rule))
  // The server did not keep them, or another client removed them.
  if (lost.length > 0) options.ledger.append({ event: 'possibly-lost', rules: lost, unlisted: false })
  options.ledger.append({ event: 'returned' })
  state.removed = []
  return { list, lost, reordered: lost.length === 0 && reordered }
}

/** A key that the server accepts. Starts the server or sets its original key if it must. */
async function findKey(server: LiveServer): Promise<string> {
  const { state, options } = server
  const [known] = (await server.read()) === null ? [] : state.keys
  if (known !== undefined) return known
  const { removed } = state
  if (state.configured) await startAgain(server, ['set-parameters'], { apiKey: 'as-before', copy: {} })
  else await startAgain(server, [], asBefore)
  // No other client could delete rules, so the kit removed those that are still missing.
  state.removed = missingFrom(await readList({ client: server.client, key: options.key }), removed)
  return options.key
}

async function startAgain(server: LiveServer, steps: readonly StepName[], desired: DesiredParameters): Promise<void> {
  await server.drive({ steps: restartWith(server, steps), desired, purpose: 'restore' })
}

/** Removes the kit's rules and adds the removed foreign rules again. */
async function refill(server: LiveServer, key: string, removed: readonly Draft[]): Promise<void> {
  const { client, state, options } = server
  const { logins, ledger } = options
  // Recognised by range, since no other client could add a rule.
  const isOwn = ownByRange(logins, state.order)
  const { list, removalUnsafeReason } = await restoreList({ client, key, isOwn, ledger, timeoutMs })
  const isRemovalSafe = removalUnsafeReason === null
  // An order that did not change with a DELETE of the kit was changed by another client.
  if (isRemovalSafe && !readLedger(ledger.file)?.reordered) noticeOrder(list, state, ledger)
  await restoreRules({ client, key, logins, ledger, order: state.order, removed, isRemovalSafe })
}
