import { FailedExpectation } from '../../assertions/failure.ts'
import type { Client } from '../../client/client.ts'
import { NoResponse } from '../../client/response.ts'
import type { Rule } from '../../model/rule.ts'
import { createPlugin } from '../../session/plugin.ts'
import { rulesIn } from '../../session/rules.ts'

/** The list read with this key; null if it cannot be read. */
export async function listWith(client: Client, key: string): Promise<readonly Rule[] | null> {
  try {
    return rulesIn(await createPlugin(client, key).list())
  } catch (error) {
    if (error instanceof NoResponse || error instanceof FailedExpectation) return null
    throw error
  }
}

/** The HTTP status of a request with this key, or without any; null if there is no response. */
export async function statusWith(client: Client, key: string | null): Promise<number | null> {
  try {
    return (await createPlugin(client, key ?? '').status(key === null ? { key: null } : {})).status
  } catch (error) {
    if (error instanceof NoResponse) return null
    throw error
  }
}
