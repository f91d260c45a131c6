import { randomBytes } from 'node:crypto'
import type { Finding } from '../examination.ts'
import { isKeyRejected } from '../rejected-key.ts'
import type { PluginLook } from './context.ts'

const remedy = 'Give the value of the plugin parameter `API_Key`, in `TCK_API_KEY`, `--api-key-file` or `--api-key`.'

/** Whether the target accepts the key, in either header. */
export async function examineKey({ status, keySource }: PluginLook): Promise<Finding> {
  if (keySource === null) return { state: 'problem', finding: 'no key was given', remedy }
  const answer = await status()
  if (!isKeyRejected(answer.status)) return { state: 'ok', finding: 'the key is accepted' }
  return { state: 'problem', finding: `the key of \`${keySource}\` is rejected with ${answer.status}`, remedy }
}

const headers = { 'x-api-key': '`X-API-Key`', bearer: '`Authorization: Bearer`' } as const

/** Whether the target accepts the key in both headers. A run removes its rules with the key in X-API-Key. */
export async function examineHeaders({ statusIn }: PluginLook): Promise<Finding> {
  const own = await statusIn('x-api-key')
  const bearer = await statusIn('bearer')
  if (!isKeyRejected(own.status) && !isKeyRejected(bearer.status)) {
    return { state: 'ok', finding: `the key is accepted in ${headers['x-api-key']} and in ${headers.bearer}` }
  }
  const [works, fails, { status }] = isKeyRejected(own.status)
    ? (['bearer', 'x-api-key', own] as const)
    : (['x-api-key', 'bearer', bearer] as const)
  return {
    state: works === 'bearer' ? 'problem' : 'warning',
    finding: `the key is accepted in ${headers[works]}, and rejected with ${status} in ${headers[fails]}`,
    remedy: 'Fix the server: both headers must work. A run uses the one that works and judges the other.',
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
