import { expect, test } from 'vitest'
import { programOrSkip } from '../fixtures/programs.ts'
import { command, main } from './command.ts'
import { conformingServers } from './conforming-servers.ts'

test.for(conformingServers)('the foreign server $name listens on the default port', async ({ name, run }, { skip }) => {
  if (name === 'threaded') programOrSkip('python3', skip)
  const only = ['--only', 'plugin.limits.default-port']
  const { stdout } = await command(['run', '--reporter', 'list', '--exec', `exec ${run}`, ...only])
  expect(stdout).toMatch(/^passed +CT-\d+ .* responds on port 8443$/m)
})

const judging = ['run', '--reporter', 'list', '--only', 'plugin.limits.default-port', '--exec']

test('a server with another default port fails, although it listens on TCK_PORT', async () => {
  const wrong = `exec "${process.execPath}" "${main}" simulate --defect limits.wrong-default-port`
  const { code, stdout } = await command([...judging, wrong])
  expect(stdout).toMatch(/^failed +CT-921 /m)
  expect(code).toBe(1)
})

test('a server that starts more slowly on its default port is not accused', async () => {
  const [plain] = conformingServers
  const slow = `grep -q API_Port "$TCK_PARAMETERS" || sleep 2.5; exec ${plain?.run}`
  const { code, stdout } = await command([...judging, slow])
  expect(code, stdout).toBe(0)
})

test('for a server that takes its port only from TCK_PORT, the default port is not judged', async () => {
  const [plain] = conformingServers
  const { code, stdout } = await command([...judging, `test -n "$TCK_PORT" && exec ${plain?.run}`])
  expect(stdout).toMatch(/^not-applicable +CT-921 .*API_Port/m)
  expect(code).toBe(3)
})
