import { expectObject } from '../assertions/expect.ts'
import type { HttpResponse } from '../client/response.ts'
import { contentLine, type Draft, type Rule } from '../model/rule.ts'
import type { Call, Choices, ListOperation, ListState } from '../model/rule-list.ts'
import { rulesIn } from './rules.ts'
import type { LaunchedServer } from './session.ts'

/** The next request of a client; `remove` is a position in the last list, modulo its length; from the end if negative. */
export type NextRequest = 'add' | 'list' | { readonly remove: number }

/** Requests of several clients to one list, with the times of request and response. */
export type History = ReturnType<typeof recordHistory>

function recordHistory({ plugin, rules }: Pick<LaunchedServer, 'plugin' | 'rules'>, list: readonly Rule[]) {
  let operations: ListOperation[] = []
  let listed = list

  const record = async (operation: ListOperation, ask: () => Promise<Call['response']>) => {
    const at = operations.push(operation) - 1
    const recorded = operations
    const response = await ask()
    recorded[at] = { ...operation, response, answeredAt: performance.now() } as ListOperation
  }

  return {
    get listed() {
      return listed
    },
    /** Everything since the last call. */
    take(): readonly ListOperation[] {
      const taken = operations
      operations = []
      return taken
    },
    /** Sends and records a request. Throws `NoResponse` without a response. */
    send(client: string, next: NextRequest): Promise<void> {
      const target = typeof next === 'object' ? listed.at(next.remove % listed.length) : undefined
      const sent = { client, sentAt: performance.now(), answeredAt: Number.POSITIVE_INFINITY, response: null }
      if (next === 'add') {
        const draft = rules.draft()
        return record({ ...sent, kind: 'add', rule: contentLine(draft) }, async () => addedIn(await plugin.add(draft)))
      }
      if (target !== undefined) {
        const { index } = target
        return record({ ...sent, kind: 'remove', index }, async () => removedIn(await plugin.remove(index)))
      }
      return record({ ...sent, kind: 'list' }, async () => {
        const response = await plugin.list()
        if (response.status >= 400) return rejected(response)
        listed = rulesIn(response)
        return { says: 'listed', rules: listed.map((rule) => ({ index: rule.index, rule: contentLine(rule) })) }
      })
    },
  }
}

export const stateOf = (list: readonly Rule[]): ListState => list.map(contentLine)

/** Learns the choices of a server to which only the kit has access from three rules, and records further requests. */
export async function startHistory(server: Pick<LaunchedServer, 'plugin' | 'rules'>) {
  const { rules } = server
  // Not sorted by any field, so that a sorted list is not mistaken for the order of insertion.
  const drafts: readonly Draft[] = [
    rules.draft({ mode: 'mult', value: 1.5, direction: 'same' }),
    rules.draft({ mode: 'fixed', value: 0.5, direction: 'reverse' }),
    rules.draft({ mode: 'mult', value: 1, direction: 'same' }),
  ]
  await rules.arrange(drafts)
  const list = await rules.read()
  const names = stateOf(list)
  const added = drafts.map(contentLine)
  const isAt = (part: readonly string[], wanted: readonly string[]) => part.join() === wanted.join()
  const atEnd = isAt(names.slice(-added.length), added)
  const atStart = isAt(names.slice(0, added.length), added.toReversed())
  const placement = atEnd ? 'end' : atStart ? 'start' : 'anywhere'
  const choices: Choices = { base: list[0]?.index ?? 0, placement }
  return { choices, history: recordHistory(server, list) }
}

function addedIn(response: HttpResponse): Call['response'] {
  if (response.status >= 300) return rejected(response)
  return { says: 'added', index: expectObject(response).index as number }
}

function removedIn(response: HttpResponse): Call['response'] {
  if (response.status === 404) return { says: 'absent' }
  return response.status < 300 ? { says: 'removed' } : rejected(response)
}

function rejected({ status }: HttpResponse): Call['response'] {
  return { says: 'refused', status }
}
