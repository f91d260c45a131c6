import { freePort } from '../../fixtures/free-port.ts'
import { load } from '../load.ts'
import { simulator, withKey } from '../product.ts'
import type { Measurement } from '../row.ts'
import { untilAnswered } from '../workspace.ts'

const token = 'token-of-the-benchmark'
const list = { method: 'GET', path: '/api/rules', headers: withKey }

/** Faults that match no request of the measurement. */
const faults = Array.from({ length: 20 }, (_, index) => ({
  when: { path: `/elsewhere/${index}` },
  effect: { kind: 'answer', status: 503 },
}))

/** The simulator with and without the journal, the control API and a list of faults. */
export const idle: Measurement = {
  rounds: 5,
  warmUp: true,
  open: async (workspace) => {
    const control = await freePort()
    const controlled = await simulator(workspace, {
      rules: 10,
      args: ['--control-port', `${control}`, '--journal', '10000'],
      env: { TCK_CONTROL_TOKEN: token },
    })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ faults })
    await untilAnswered(`http://127.0.0.1:${control}`)
    const set = await fetch(`http://127.0.0.1:${control}/faults`, { method: 'PUT', headers, body })
    if (!set.ok) throw new Error(`The faults were not accepted: ${await set.text()}`)
    const plain = await simulator(workspace, { rules: 10 })
    return { product: () => load(controlled.url, [list], [200]), limit: () => load(plain.url, [list], [200]) }
  },
}
