import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSimulator, type Fault, type Simulator, type SimulatorOptions } from '../../index.ts'

export const parameters = { API_Key: 'k', Copy_1: '1001>2001,mult,1.5,same' }
export const rule = { master: 5, follower: 6, mode: 'mult', value: 2, direction: 'same' }

export async function faulty(fault: Fault, options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = createSimulator({ port: 0, parameters, ...options })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  simulator.control.faults.add(fault)
  return simulator
}

export const headers = { 'X-API-Key': 'k', 'Content-Type': 'application/json', 'Connection': 'close' }

export async function status(simulator: Simulator, method = 'GET', body?: object): Promise<number | string> {
  try {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${simulator.url}/api/rules`, init)
    await answer.arrayBuffer()
    return answer.status
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
    // Newer versions of Node.js have no code for a response that is not HTTP.
    return code === undefined || code.startsWith('HPE_') ? message : code
  }
}

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
