import type { Request } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import { type HttpResponse, NoResponse } from '../client/response.ts'
import type { Rule } from '../model/rule.ts'
import type { ConcurrentEdit, OtherRuleLost } from './culprits.ts'
import { blameServer, prove, type Repetition, suspectEdit } from './dispute.ts'
import { type Dispute, explain, isRejection, type Step } from './explain.ts'
import { announce, type RunList, readList, requestToAdd, sendAndVerify } from './protected-list.ts'
import { requestToRemove, sendRemoval } from './removal.ts'

export function add(request: Request, list: RunList, isNested = false): Promise<HttpResponse> {
  const { wrong } = list.knowledge
  // A rule of the kit that is added now could not be removed.
  if (wrong !== null) return Promise.reject(wrong)
  const send = () => {
    announce(request, list)
    return list.client(request)
  }
  return sendAddition({ send, exchangeOf: ({ exchange }) => exchange, isNested }, list)
}

/** A request that may add a rule. */
interface Addition<Response> {
  readonly send: () => Promise<Response>
  readonly exchangeOf: (response: Response) => Exchange | null
  /** Sent while another one is: it waits for no turn. */
  readonly isNested: boolean
}

/**
 * Sends a request that may add a rule, and reads the list before and after it: at most one such request
 * can ever harm the foreign rules.
 *
 * @throws {OtherRuleLost} when a foreign rule was lost or moved by it; nothing is sent after that
 * @throws {ConcurrentEdit} when another client changed the list, or may have
 */
export async function sendAddition<Response>(addition: Addition<Response>, list: RunList): Promise<Response> {
  const { knowledge, watch } = list
  await stopIfLost(list)
  if (watch.others.length === 0) return addition.send()
  const before = await readSeen(list)
  const { turn } = knowledge
  if (addition.isNested || before.length + knowledge.pending < knowledge.longest) {
    return sendBetweenReads(addition, before, list)
  }
  const mustWait = turn.isLocked()
  return turn.runExclusive(async () => sendBetweenReads(addition, mustWait ? await readSeen(list) : before, list))
}

async function stopIfLost({ knowledge }: RunList): Promise<void> {
  if (knowledge.lost !== null) throw await knowledge.lost
}

/** The list. What is missing in it by now is not the doing of the next request. */
async function readSeen(list: RunList): Promise<readonly Rule[]> {
  await stopIfLost(list)
  const now = await readList(list)
  list.watch.see(now)
  return now
}

async function sendBetweenReads<Response>(
  addition: Addition<Response>,
  before: readonly Rule[],
  list: RunList,
): Promise<Response> {
  const { knowledge } = list
  await stopIfLost(list)
  knowledge.pending += 1
  try {
    return await sendAndVerify(addition.send, list, (response, after) => {
      const exchange = response instanceof NoResponse ? response.exchange : addition.exchangeOf(response)
      return verifyAddition(addition, { operation: { kind: 'add' }, ...answerIn(exchange), before, after }, list)
    })
  } finally {
    knowledge.pending -= 1
  }
}

async function verifyAddition<Response>(addition: Addition<Response>, step: Step, list: RunList): Promise<void> {
  const { knowledge, watch, isOwn } = list
  await stopIfLost(list)
  const explanation = explain(step, isOwn)
  if (explanation.kind !== 'disputed') {
    knowledge.longest = Math.max(knowledge.longest, step.after.length)
    return watch.see(step.after)
  }
  // Parallel requests see the same loss; only the first of them looks for the reason.
  knowledge.lost = settleAddition(addition, explanation, list)
  await stopIfLost(list)
}

/** Who lost the rules, and the list restored if it was the server. */
async function settleAddition<Response>(
  addition: Addition<Response>,
  dispute: Dispute,
  list: RunList,
): Promise<OtherRuleLost | ConcurrentEdit> {
  list.watch.accept(dispute.step.after)
  const proof = await prove(dispute, repeatedAddition(addition, dispute.step, list), list)
  if (proof.kind !== 'harm') return suspectEdit(dispute, list)
  return blameServer(dispute, proof.steps, list, (index) => sendRemoval(requestToRemove(index, list), list, null))
}

/** A rejected request is sent again as it is; otherwise another rule is added, since a server may reject an equal one. */
function repeatedAddition<Response>(addition: Addition<Response>, step: Step, list: RunList): Repetition | null {
  const { client, purpose } = list
  const sendSame = async () => addition.exchangeOf(await addition.send())
  const addAnother = async () => {
    const request = requestToAdd(purpose.draft(), list)
    announce(request, list)
    return (await client(request)).exchange
  }
  const isRejected = isRejection(step)
  // Requests inside a nested one would wait for the reason of this loss for ever.
  if (isRejected && addition.isNested) return null
  return async (before) => {
    const exchange = await (isRejected ? sendSame() : addAnother()).catch((error: unknown) => {
      if (error instanceof NoResponse) return null
      throw error
    })
    return { operation: step.operation, ...answerIn(exchange), before, after: await readList(list) }
  }
}

function answerIn(exchange: Exchange | null): Pick<Step, 'status' | 'exchange'> {
  return { status: exchange?.response?.status ?? null, exchange }
}
