import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Report } from '../reports/report.ts'
import { createSimulator } from '../simulator/index.ts'
import { openLedger } from '../suites/safety/ledger.ts'
import { emptyFolder } from './command.ts'
import { type SupervisedServer, startSupervised, supervisedKey } from './supervised-server.ts'
import { atTerminal, startInTerminal } from './terminal.ts'

/** Follows the prompt, and does nothing else. */
async function follow(prompt: string, server: SupervisedServer): Promise<void> {
  const parameters = server.parameters()
  for (const [, said = ''] of prompt.matchAll(/\d+\. (.*)/g)) {
    const key = /set `API_Key` to (\S+)/.exec(said)?.[1]
    const copy = /^Set (Copy_\d+) to (\S+)/.exec(said)
    if (said.includes('set `API_Key` to its value before')) parameters.API_Key = supervisedKey
    else if (key !== undefined) parameters.API_Key = key
    if (/^(Remove all|Set the) .*Copy_N/.test(said)) {
      for (const name of Object.keys(parameters)) if (name.startsWith('Copy_')) delete parameters[name]
    }
    if (copy?.[1] !== undefined && copy[2] !== undefined) parameters[copy[1]] = copy[2]
    writeFileSync(server.parametersFile, JSON.stringify(parameters))
    if (said.startsWith('Delete the file')) await server.do('delete-rules-file')
    if (said.startsWith('Restart')) await server.do('restart')
  }
}

function checkIn(folder: string, id: string) {
  const report = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  return report.requirements.flatMap(({ checks }) => checks).find((check) => check.id === id)
}

const question = /do this at[\s\S]*Then press Enter\.[\s\S]*(?:Skip all|Leave)/

function argsFor(server: SupervisedServer): readonly string[] {
  const { url, before } = server
  return [
    'run',
    '--target',
    url,
    '--manual',
    '--risk',
    'exclusive',
    '--yes',
    '--parameters',
    before,
    '--only',
    'CT-622',
  ]
}

atTerminal(
  'the user is prompted for each step, prompted again if it had no effect, and prompted to restore the server',
  async () => {
    const server = await startSupervised()
    const list = await server.list()
    const folder = emptyFolder()
    const seat = startInTerminal(argsFor(server), { cwd: folder, apiKey: supervisedKey })
    // Enter, without doing anything.
    const first = await seat.shown(question)
    expect(first).toMatch(/set `API_Key` to tck-[0-9a-f]{8}[\s\S]*Restart the plugin/)
    seat.press('\r')
    await seat.shown(
      /The step has had no effect: the server was not restarted[\s\S]*How do you want to continue\?[\s\S]*Skip all/,
    )
    await follow(first, server)
    seat.press('\r')
    // Without `--copy-syntax`, one rule shows whether the server knows the public syntax.
    const second = await seat.shown(question)
    expect(second).toMatch(
      /Set Copy_1 to 9\d+>9\d+,(?:(?!Copy_2)[\s\S])*Delete the file `ServiceCopyTrade_rules\.dat`\.[\s\S]*Restart/,
    )
    await follow(second, server)
    seat.press('\r')
    const third = await seat.shown(question)
    expect(third).toMatch(
      /Set Copy_1 to 9\d+>9\d+,[\s\S]*Set Copy_2 to 9\d+>9\d+,[\s\S]*Delete the file `ServiceCopyTrade_rules\.dat`\.[\s\S]*Restart/,
    )
    await follow(third, server)
    seat.press('\r')
    const fourth = await seat.shown(question)
    expect(fourth).toContain('To restore the server')
    expect(fourth).not.toContain(supervisedKey)
    await follow(fourth, server)
    seat.press('\r')
    const { code, screen } = await seat.ended
    expect(screen).toContain('0 of 6 rules changed')
    expect(code).toBe(0)
    expect(checkIn(folder, 'CT-622')?.status).toBe('passed')
    expect(await server.list()).toBe(list)
    expect(server.parameters()).toEqual(JSON.parse(readFileSync(server.before, 'utf8')))
  },
)

atTerminal('a check is out of scope, never failed, if the user skips its step', async () => {
  const server = await startSupervised()
  const list = await server.list()
  const folder = emptyFolder()
  const seat = startInTerminal(argsFor(server), { cwd: folder, apiKey: supervisedKey })
  await seat.shown(question)
  seat.press('\u001b[B\r')
  // Parts of the step may have been done, so the server is restored anyway.
  await follow(await seat.shown(question), server)
  seat.press('\r')
  await seat.ended
  expect(checkIn(folder, 'CT-622')).toMatchObject({
    status: 'out-of-scope',
    message: expect.stringContaining('skipped a step'),
  })
  expect(await server.list()).toBe(list)
})

atTerminal('`restore --re-add` asks for each missing rule, and adds those that were chosen', async () => {
  const rule = (follower: number) => ({ master: 1, follower, mode: 'mult', value: 1, direction: 'same' })
  const simulator = createSimulator({ port: 0, parameters: { API_Key: supervisedKey, Copy_1: '1>1,mult,1,same' } })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const folder = emptyFolder()
  const ledger = openLedger(join(folder, 'ledger.jsonl'), (text) => text)
  const before = [1, 2, 3].map((follower, index) => ({ index, ...rule(follower) }))
  const logins = { from: 900_000_000, to: 900_000_999 }
  ledger.append({
    ...{ event: 'open', schema: 'copytrade-tck/ledger@1', target: simulator.url, startedAt: '' },
    ...{ logins, before },
  })
  ledger.append({ event: 'lost', rules: [rule(3)] })
  ledger.close()
  const seat = startInTerminal(['restore', '--ledger', 'ledger.jsonl', '--re-add'], {
    cwd: folder,
    apiKey: supervisedKey,
  })
  await seat.shown(/Add 1>2 mult 1 same again\? Another client may have removed it on purpose\.[\s\S]*No/)
  // Enter takes the default: yes only for what the run removed with certainty.
  seat.press('\r')
  await seat.shown(/Add 1>3 mult 1 same again\? A request of the kit removed it\.[\s\S]*No/)
  seat.press('\r')
  expect(await seat.ended).toMatchObject({ code: 0, screen: expect.stringContaining('added again: 1>3 mult 1 same') })
  expect(simulator.rules.map(({ follower }) => Number(follower))).toEqual([1, 3])
})
