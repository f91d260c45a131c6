import type { Finding } from '../examination.ts'
import { isKeyRejected } from '../rejected-key.ts'
import type { PluginLook } from './context.ts'

/** Whether the plugin responds, and its name and version. */
export async function examinePlugin({ status, keySource }: PluginLook): Promise<Finding> {
  const answer = await status()
  if (isKeyRejected(answer.status)) {
    return {
      state: 'skipped',
      finding: `unknown: ${keySource === null ? 'no key was given' : `the key is rejected with ${answer.status}`}`,
    }
  }
  if (answer.status !== 200 || !isObject(answer.json)) {
    return {
      state: 'problem',
      finding: `GET /api/status returns ${answer.status}${answer.status === 200 ? ', but not a JSON object' : ''}`,
      remedy: 'Check the address, the port and the path before /api: another server may respond there.',
    }
  }
  const { plugin, version, license_active: licensed } = answer.json
  if (typeof plugin !== 'string' || typeof version !== 'string') {
    return {
      state: 'warning',
      finding: 'GET /api/status has no plugin name or version',
      remedy: 'Check that it is the plugin. A run judges the response.',
    }
  }
  const name = `${plugin} ${version}`
  if (licensed !== false) return { state: 'ok', finding: name }
  return {
    state: 'warning',
    finding: `${name}, without an active licence`,
    remedy: 'Activate the licence. Without it the plugin may reject valid requests.',
  }
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
