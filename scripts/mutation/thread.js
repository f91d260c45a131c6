// @ts-check
// Judges simulators in a worker thread while one mutant is active.
import { AsyncLocalStorage } from 'node:async_hooks'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * @typedef {object} Task
 * @property {string} api
 * @property {string | null} defect
 * @property {string[]} checks
 * @property {number | null} mutant
 * @property {Record<string, string>} [answers] the profile; default: the default answers
 *
 * @typedef {{ check: string, status: string, code: string | null }} Result
 * @typedef {{ results: Result[], reached: number[] }} Judged
 */

/** @type {AsyncLocalStorage<{ mutant: number | null, reached: Set<number> }>} */
const storage = new AsyncLocalStorage()

/** Whether this mutant is active. @param {number} id */
function isActive(id) {
  const store = storage.getStore()
  store?.reached.add(id)
  return store?.mutant === id
}

// Called by the instrumented checks.
Object.assign(globalThis, {
  tckMutant: isActive,
  /** @param {number} id @param {Function} expectation */
  tckExpectation: (id, expectation) => (isActive(id) ? () => undefined : expectation),
  /** @param {number} id @param {Iterable<unknown>} items */
  tckItems: (id, items) => (isActive(id) ? [...items].slice(0, 1) : items),
  /** @param {number} always @param {number | null} never @param {unknown} holds */
  tckHolds(always, never, holds) {
    if (isActive(always)) return true
    return never !== null && isActive(never) ? false : holds
  },
})

/** @type {{ apis: any[] }} */
const { apis } = await import(workerData.module)

parentPort?.on('message', async ({ id, task }) => {
  const reached = new Set()
  const results = await storage.run({ mutant: task.mutant, reached }, () => judge(task))
  parentPort?.postMessage({ id, judged: { results, reached: [...reached] } })
})

/** @param {Task} task @returns {Promise<Result[]>} */
async function judge({ api: name, defect: id, checks, answers = {} }) {
  const api = apis.find((one) => one.name === name)
  const defects = api.defects.filter((/** @type {{ id: string }} */ one) => one.id === id)
  const chosen = api.checks.filter((/** @type {{ id: string }} */ one) => checks.includes(one.id))
  const outcomes = await api.judge({ answers, defects, checks: chosen, seed: workerData.seed })
  return outcomes.map(({ check, status, code }) => ({ check, status, code }))
}
