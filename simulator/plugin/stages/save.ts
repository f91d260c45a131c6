import type { HttpResponse } from '../../server/response.ts'
import { saveOrReject } from '../../server/save.ts'
import type { Service } from '../service.ts'
import type { AppliedOperation } from './apply.ts'

/**
 * Saves the changed list before it becomes visible (clause 4.3 rule 1). If saving fails, no client has
 * seen the change, and nothing has to be undone.
 */
export async function save({ response, change }: AppliedOperation, service: Service): Promise<HttpResponse> {
  if (change === undefined) return response
  const { hooks, list, writeFile } = service
  const { name, rules } = change
  await saveOrReject(service, () => hooks.save(() => writeFile(hooks.encodeFile(rules)), name))
  list.publish(rules)
  return response
}
