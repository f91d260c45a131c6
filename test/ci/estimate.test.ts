import { expect, onTestFinished, test } from 'vitest'
import { estimateRoundTrips } from '../../cli/target/plugin/estimates.ts'
import { delayingProxy } from '../../fixtures/proxies/delaying.ts'
import { isProof } from '../../fixtures/test-size.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { command, emptyFolder, start } from '../command.ts'
import { liveKey, startLiveServer } from '../live-server.ts'

const env = { TCK_API_KEY: liveKey }

async function proxied(roundTripMs: number) {
  const { url } = await startLiveServer(2)
  const proxy = await delayingProxy(url, roundTripMs)
  onTestFinished(proxy.close)
  return proxy
}

const some = ['plugin.delete.*', 'plugin.list.*', 'plugin.errors.*'].flatMap((id) => ['--only', id])

test.for(isProof ? (['read', 'write', 'exclusive'] as const) : (['read', 'write'] as const))(
  'the estimated round trips of a run at risk %s are within a factor of two',
  { timeout: 900_000 },
  async (risk) => {
    const proxy = await proxied(0)
    const only = isProof || risk === 'read' ? [] : some
    const args = ['run', '--target', proxy.url, '--risk', risk, '--yes', '--seed', '1', ...only]
    const cwd = emptyFolder()
    const { stdout } = await command([...args, '--plan=json'], { cwd, env })
    const { checks } = JSON.parse(stdout) as { checks: readonly PlannedCheck[] }
    const estimated = estimateRoundTrips(checks, { risk, maxFill: 2_000, thorough: 1 }) ?? 0
    const { code, stdout: output } = await command(args, { cwd, env })
    expect(code, output).toBe(0)
    const taken = proxy.responses() + proxy.connections()
    console.info(`risk ${risk}: ${estimated} round trips estimated, ${taken} taken`)
    expect(estimated).toBeGreaterThan(taken / 2)
    expect(estimated).toBeLessThan(taken * 2)
  },
)

test('a run states its estimated duration before its first write, if it takes long', async () => {
  const { url } = await proxied(150)
  const { printed } = start(['run', '--target', url, '--risk', 'write', '--yes'], { env })
  const [, minutes, roundTrips, roundTripMs] = await printed(
    /It takes about (\d+) min: (\d+) round trips of (\d+) ms\.\nThe run adds and removes its own rules/,
  )
  expect(Number(roundTripMs)).toBeGreaterThanOrEqual(150)
  const expected = (Number(roundTrips) * (Number(roundTripMs) + 2)) / 60_000
  expect(Math.abs(Number(minutes) - expected)).toBeLessThan(1)
})
