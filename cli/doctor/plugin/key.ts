import { randomBytes } from 'node:crypto'
import type { Finding } from '../examination.ts'
import { isKeyRejected } from '../rejected-key.ts'
import type { PluginLook } from './context.ts'

/** Whether the target takes the key that it was given. */
export async function examineKey({ status }: PluginLook): Promise<Finding> {
  const answer = await status()
  if (!isKeyRejected(answer.status)) return { state: 'ok', finding: 'the key is accepted' }
  return {
    state: 'problem',
    finding: `the key is refused with ${answer.status}`,
    remedy: 'Compare it with the parameter API_Key of the plugin: TCK_API_KEY, --api-key-file or --api-key.',
  }
}

/** Whether the key is needed at all. */
export async function examineWrongKey({ statusWith }: PluginLook): Promise<Finding> {
  const wrong = await statusWith({ key: `wrong-${randomBytes(12).toString('hex')}` })
  const none = await statusWith({ key: null })
  const open = [...(wrong.status < 400 ? ['a wrong key'] : []), ...(none.status < 400 ? ['no key'] : [])]
  if (open.length > 0) {
    return {
      state: 'problem',
      finding: `${open.join(' and ')} will do: anybody who reaches the port can read and perhaps change the rules`,
      remedy: 'Close the port to others until the plugin is repaired.',
    }
  }
  if (wrong.status === 401 && none.status === 401) {
    return { state: 'ok', finding: 'a wrong key and no key are refused with 401' }
  }
  return {
    state: 'warning',
    finding: `a wrong key is answered with ${wrong.status}, no key with ${none.status}, both should be 401`,
    remedy: 'A run judges this; a proxy before the plugin may be the reason.',
  }
}
