import { expect, test } from 'vitest'
import { interpreterOrSkip } from '../fixtures/languages.ts'
import { command } from './command.ts'
import { conformingServers } from './conforming-servers.ts'

test.for(conformingServers)('the foreign server $name listens on the default port', async ({ name, run }, { skip }) => {
  if (name === 'threaded') interpreterOrSkip('python3', skip)
  const only = ['--only', 'plugin.limits.default-port']
  const { stdout } = await command(['run', '--reporter', 'list', '--exec', `exec ${run}`, ...only])
  expect(stdout).toMatch(/^passed +CT-\d+ .* responds on port 8443$/m)
})
