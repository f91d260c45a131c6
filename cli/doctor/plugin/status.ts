import type { Finding } from '../examination.ts'
import { isKeyRejected } from '../rejected-key.ts'
import type { PluginLook } from './context.ts'

/** Whether the plugin answers here, and which one. */
export async function examinePlugin({ status }: PluginLook): Promise<Finding> {
  const answer = await status()
  if (isKeyRejected(answer.status)) {
    return { state: 'skipped', finding: `does not say who it is: the key is refused with ${answer.status}` }
  }
  if (answer.status !== 200 || !isObject(answer.json)) {
    return {
      state: 'problem',
      finding: `GET /api/status is answered with ${answer.status}${answer.status === 200 ? ' and no JSON object' : ''}`,
      remedy: 'Something other than the plugin may listen there: check the address, the port and the path before /api.',
    }
  }
  const { plugin, version, license_active: licensed } = answer.json
  if (typeof plugin !== 'string' || typeof version !== 'string') {
    return {
      state: 'warning',
      finding: 'GET /api/status names no plugin and no version',
      remedy: 'Make sure that it is the plugin; a run judges the answer.',
    }
  }
  const name = `${plugin} ${version}`
  if (licensed !== false) return { state: 'ok', finding: name }
  return {
    state: 'warning',
    finding: `${name}, without an active licence`,
    remedy: 'Activate the licence: without it the plugin may refuse what it would do otherwise.',
  }
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
