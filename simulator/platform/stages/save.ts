import type { HttpResponse } from '../../server/response.ts'
import { saveOrReject } from '../../server/save.ts'
import type { PlatformService } from '../service.ts'
import type { AppliedOperation } from './apply.ts'

/** Saves the accounts before they become visible. If saving fails, no client has seen the new account. */
export async function save({ response, accounts }: AppliedOperation, service: PlatformService): Promise<HttpResponse> {
  if (accounts === undefined) return response
  const { hooks, records, write } = service
  const next = { ...records.current(), accounts }
  await saveOrReject(service, () => hooks.save(() => write(next)))
  records.publish(next)
  return response
}
