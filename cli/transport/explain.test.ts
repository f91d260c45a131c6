import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { restoreLine } from './explain.ts'

const transport = { insecure: false, ca: null, proxy: null, persistent: false, gateway: false }

test.for(["/tmp/it's mine/a b.jsonl", '/tmp/$HOME/`id`.jsonl', '/tmp/(1)&2;*?.jsonl'])(
  'a shell passes the path of a ledger on as it is: %s',
  (path) => {
    const line = restoreLine(path, transport).replace('copytrade-tck', `printf '%s\\n'`)
    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`restore\n--ledger\n${path}\n`)
  },
)

test('a path without special characters is printed without quotes', () => {
  const path = 'tck-report/größe/ledger-127.0.0.1_80.jsonl'
  expect(restoreLine(path, transport)).toBe(`copytrade-tck restore --ledger ${path}`)
})
