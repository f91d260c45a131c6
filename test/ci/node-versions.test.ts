import { execFile } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isProof, someOf } from '../../fixtures/test-size.ts'
import { emptyFolder } from '../command.ts'
import { newerNode } from '../newer-node.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Newer versions of Node.js than the one of the other tests. */
const versions = ['22', '24', '26']

/** What depends most on Node.js. */
const folders = ['http', 'simulator/server', 'simulator/plugin', 'suites/client']

test.for(someOf(versions, 1))(
  'under Node.js %s the unit tests pass, and the simulator conforms',
  { timeout: 600_000 },
  async (version) => {
    const node = await newerNode(version)
    const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TCK_)/.test(name)))
    const options = { cwd: root, env: { ...own, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` } }
    expect((await run(node, ['--version'], options)).stdout).toMatch(new RegExp(`^v${version}\\.`))

    await run(node, ['node_modules/vitest/vitest.mjs', 'run', '--project=unit', ...(isProof ? [] : folders)], options)

    // Other tests may be using the default port.
    const args = ['dist/cli/main.js', 'run', '--out', emptyFolder(), '--skip', 'plugin.limits.default-port']
    expect((await run(node, args, options)).stdout).toMatch(/partial No failure in \d+ of/)
  },
)
