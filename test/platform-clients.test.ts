import { describe, expect, test } from 'vitest'
import { clientNames, clientOf } from '../fixtures/clients/run-client.ts'
import { livePair, startLivePlatform } from './live-platform.ts'

const { apiKey, apiSecret } = livePair

describe.each(clientNames)('the plain client in %s works with the platform simulator', (name) => {
  test('with only the key if signing is optional', async ({ skip }) => {
    const client = clientOf(name, skip)
    const { url, simulator } = await startLivePlatform()
    const created = await client({ url, apiKey }, 'create', 'Käse "1"', 'demo', '100', 'EUR', '2500.5')
    expect(created).toEqual({ code: 0, stdout: 'created Käse "1"\n', stderr: '' })
    expect(simulator.accounts).toMatchObject([
      { name: 'Käse "1"', group: 'demo', leverage: 100, currency: 'EUR', balance: 2500.5 },
    ])
    expect(await client({ url, apiKey }, 'list')).toMatchObject({ code: 0, stdout: 'Käse "1"\t2500.5\tEUR\n' })
  })

  test('with a signature if it is required, with the header names of any vendor', async ({ skip }) => {
    const client = clientOf(name, skip)
    const { url, simulator } = await startLivePlatform({ signing: 'required', vendor: 'Example' })
    const signed = { url, apiKey, apiSecret, vendor: 'Example' }
    expect(await client(signed, 'create', 'Ünï', 'demo', '50', 'USD', '100')).toMatchObject({ code: 0 })
    expect(await client(signed, 'list')).toMatchObject({ code: 0, stdout: 'Ünï\t100\tUSD\n' })
    const unsigned = await client({ url, apiKey }, 'create', 'Ünï 2', 'demo', '50', 'USD', '100')
    expect(unsigned.code).toBe(1)
    expect(unsigned.stderr).toContain('401')
    const forged = await client({ ...signed, apiSecret: `${apiSecret}x` }, 'create', 'Ünï 3', 'demo', '50', 'USD', '1')
    expect(forged.code).toBe(1)
    expect(simulator.accounts).toHaveLength(1)
  })
})
