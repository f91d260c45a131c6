import type { LoadFlags } from './load.ts'

/** A k6 script that sends the same load. It holds no key. */
export function k6Script({ target = 'http://127.0.0.1:8443', rate, duration, writes, maxP99, logins }: LoadFlags) {
  const time = `${duration / 1_000}s`
  const reads = { exec: 'read', executor: 'constant-arrival-rate', rate, duration: time, preAllocatedVUs: rate }
  // One at a time: a DELETE names an index.
  const adds = { ...reads, exec: 'write', rate: writes, preAllocatedVUs: 1, maxVUs: 1 }
  const options = {
    scenarios: { reads: { ...reads, maxVUs: 10 * rate }, ...(writes > 0 && { writes: adds }) },
    thresholds: {
      checks: ['rate==1'],
      'dropped_iterations{scenario:reads}': ['count==0'],
      ...(maxP99 !== undefined && { http_req_duration: [`p(99)<=${maxP99}`] }),
    },
  }
  return `// Run: k6 run -e TCK_API_KEY=your-key this-file.js
// It does not protect existing rules: another client that changes the list may make it remove a wrong one.
import { check } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'

export const options = ${JSON.stringify(options, null, 2)}

const target = __ENV.TCK_TARGET || ${JSON.stringify(target)}
const params = { headers: { 'X-API-Key': __ENV.TCK_API_KEY, 'Content-Type': 'application/json' } }
const isOk = (response) => check(response, { success: ({ status }) => status >= 200 && status < 300 })

export function read() {
  isOk(http.get(target + (exec.scenario.iterationInTest % 2 === 0 ? '/api/status' : '/api/rules'), params))
}

export function write() {
  const [master, follower] = [${logins.from}, ${logins.to}]
  const rule = { master, follower, mode: 'mult', value: 1, direction: 'same' }
  if (!isOk(http.post(target + '/api/rules', JSON.stringify(rule), params))) return
  const own = http.get(target + '/api/rules', params).json('rules').find((one) => one.master === master && one.follower === follower)
  if (own) isOk(http.del(target + '/api/rules/' + own.index, null, params))
}
`
}
