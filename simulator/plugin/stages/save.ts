import type { HttpResponse } from '../../server/response.ts'
import type { Service } from '../service.ts'
import type { AppliedOperation } from './apply.ts'

/**
 * Saves the changed list before it becomes visible (clause 4.3 rule 1). If saving fails, no client has
 * seen the change, and nothing has to be undone.
 */
export async function save(
  { response, change }: AppliedOperation,
  { hooks, list, writeFile, log }: Service,
): Promise<HttpResponse> {
  if (change === undefined) return response
  const { name, rules } = change
  try {
    await hooks.save(() => writeFile(hooks.encodeFile(rules)), name)
  } catch (error) {
    log({ level: 'error', event: 'save-failed', reason: error instanceof Error ? error.message : String(error) })
    throw hooks.notSaved()
  }
  list.publish(rules)
  return response
}
