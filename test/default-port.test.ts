import { expect, test } from 'vitest'
import { programOrSkip } from '../fixtures/programs.ts'
import { command, main } from './command.ts'
import { conformingServers } from './conforming-servers.ts'

const judging = ['run', '--reporter', 'list', '--only', 'plugin.limits.default-port', '--exec']

/** Runs the kit again while a server of another test has the port. */
async function judge(server: string) {
  for (;;) {
    const judged = await command([...judging, server])
    if (!/another program uses the default port|port 8443 is used by another/.test(judged.stdout)) return judged
  }
}

test.for(conformingServers)('the foreign server $name listens on the default port', async ({ name, run }, { skip }) => {
  if (name === 'threaded') programOrSkip('python3', skip)
  const { stdout } = await judge(`exec ${run}`)
  expect(stdout).toMatch(/^passed +CT-\d+ .* responds on port 8443$/m)
})

test('a server with another default port fails, although it listens on TCK_PORT', async () => {
  const wrong = `exec "${process.execPath}" "${main}" simulate --defect limits.wrong-default-port`
  const { code, stdout } = await judge(wrong)
  expect(stdout).toMatch(/^failed +CT-921 /m)
  expect(code).toBe(1)
})

test('a server that starts more slowly on its default port is not accused', async () => {
  const [plain] = conformingServers
  const slow = `grep -q API_Port "$TCK_PARAMETERS" || sleep 2.5; exec ${plain?.run}`
  const { code, stdout } = await judge(slow)
  expect(code, stdout).toBe(0)
})

test('for a server that takes its port only from TCK_PORT, the default port is not judged', async () => {
  const [plain] = conformingServers
  const { code, stdout } = await judge(`test -n "$TCK_PORT" && exec ${plain?.run}`)
  expect(stdout).toMatch(/^not-applicable +CT-921 .*API_Port/m)
  expect(code).toBe(3)
})
