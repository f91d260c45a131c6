import { randomBytes } from 'node:crypto'
import type { Finding } from '../examination.ts'
import { isKeyRejected } from '../rejected-key.ts'
import type { PluginLook } from './context.ts'

/** Whether the target accepts the key. */
export async function examineKey({ status }: PluginLook): Promise<Finding> {
  const answer = await status()
  if (!isKeyRejected(answer.status)) return { state: 'ok', finding: 'the key is accepted' }
  return {
    state: 'problem',
    finding: `the key is rejected with ${answer.status}`,
    remedy: 'Give the value of the plugin parameter `API_Key`, in `TCK_API_KEY`, `--api-key-file` or `--api-key`.',
  }
}

/** Whether the key is required. */
export async function examineWrongKey({ statusWith }: PluginLook): Promise<Finding> {
  const wrong = await statusWith({ key: `wrong-${randomBytes(12).toString('hex')}` })
  const none = await statusWith({ key: null })
  const open = [...(wrong.status < 400 ? ['a wrong key'] : []), ...(none.status < 400 ? ['a missing key'] : [])]
  if (open.length > 0) {
    return {
      state: 'problem',
      finding: `${open.join(' and ')} is accepted: every client that reaches the port can read, and perhaps change, the rules`,
      remedy: 'Block the port for other clients until the plugin is fixed.',
    }
  }
  if (wrong.status === 401 && none.status === 401) {
    return { state: 'ok', finding: 'a wrong key and a missing key are rejected with 401' }
  }
  return {
    state: 'warning',
    finding: `a wrong key returns ${wrong.status} and a missing key ${none.status}; both should return 401`,
    remedy: 'A run judges this. A proxy in front of the plugin may be the cause.',
  }
}
