import { expect, test, vi } from 'vitest'
import { PortTaken } from '../../../suites/targets/driver.ts'
import { createEmbeddedDriver } from '../../../suites/targets/embedded.ts'
import type { OwnDriver } from '../../../suites/targets/own-servers.ts'
import { nothingKnown, type SilentStart } from '../../../suites/targets/own-servers.ts'
import { startMain } from './start-main.ts'

const settings = { parameters: { API_Key: 'k', Copy_1: '1>2,mult,1,same' }, port: 'given', capacity: null } as const

/** A driver whose starts have these results, one after the other. */
function driverThat(start: OwnDriver['start'], facts: Partial<SilentStart> = {}) {
  const driver = createEmbeddedDriver()
  vi.spyOn(driver, 'start').mockImplementation(start)
  vi.spyOn(driver, 'configure')
  vi.spyOn(driver, 'prepare')
  vi.spyOn(driver, 'explain').mockResolvedValue({ ...nothingKnown, ...facts })
  return driver
}

function startWith(driver: OwnDriver, signal = new AbortController().signal): Promise<unknown> {
  const started = startMain(driver, settings, { kind: 'exec', log: 'tck-report/server.log', signal })
  return started.catch((error: unknown) => error).finally(() => driver.discardAll())
}

test('another port is tried if another program uses the first one', async () => {
  let starts = 0
  const driver = driverThat(async () => {
    starts += 1
    if (starts === 5) return true
    throw new PortTaken('port 5000 is used by another program')
  })
  expect(await startWith(driver)).toMatchObject({ id: 's5', url: expect.stringMatching(/^http:/) })
})

test('after five ports the last program is named', async () => {
  const driver = driverThat(() => Promise.reject(new PortTaken('port 5000 is used by another program (process 7, x)')))
  expect(await startWith(driver)).toMatchObject({
    exitCode: 4,
    message: '5 ports were tried. The last one: port 5000 is used by another program (process 7, x).',
  })
  expect(driver.prepare).toHaveBeenCalledTimes(5)
})

test('a server that does not respond is started again without rules, if that could help', async () => {
  const silent = driverThat(async () => false)
  expect(await startWith(silent)).toMatchObject({ exitCode: 4 })
  expect(silent.configure).toHaveBeenCalledExactlyOnceWith('s1', { ...settings, parameters: { API_Key: 'k' } })
  const elsewhere = driverThat(async () => false, { listening: [{ address: '127.0.0.1', port: 80 }] })
  expect(await startWith(elsewhere)).toMatchObject({ message: expect.stringContaining('listens at 127.0.0.1:80') })
  expect(elsewhere.configure).not.toHaveBeenCalled()
})

test('Ctrl-C ends the wait, and the error says what is known', async () => {
  const controller = new AbortController()
  const driver = driverThat(
    () => {
      controller.abort()
      return new Promise(() => undefined)
    },
    { listening: [] },
  )
  expect(await startWith(driver, controller.signal)).toMatchObject({
    message: 'The run was interrupted. The server runs, but listens at no port after 0 s.',
  })
})

test('Ctrl-C before the start ends the wait as well', async () => {
  const driver = driverThat(() => new Promise(() => undefined))
  expect(await startWith(driver, AbortSignal.abort())).toMatchObject({ exitCode: 4 })
})
