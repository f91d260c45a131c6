// @ts-check
// Bundles the registries of the self-test with checks that contain all their mutants. Node.js 20 runs the bundle as the
// sources are written, so they must not use `using`.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { mutate } from './mutants.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The checks. The catalogues of requests are covered by the law about exact twins, the date parser by its own tests. */
const mutated = /^suites\/checks\/(?!.*(catalogue|\.test\.ts|\/all\.ts|error-text-probes|moment))/

/**
 * @param {string} folder where the bundle is written
 * @returns {Promise<{ module: string, mutants: import('./mutants.js').Mutant[] }>}
 */
export async function bundle(folder) {
  /** @type {import('./mutants.js').Mutant[]} */
  const mutants = []
  const bundled = await rolldown({
    input: { apis: `${root}cli/selftest/apis.ts` },
    platform: 'node',
    external: [/^[^./]/, /\.node$/],
    plugins: [
      {
        name: 'mutate',
        load(id) {
          const file = relative(root, id)
          if (!mutated.test(file)) return null
          const made = mutate(file, readFileSync(id, 'utf8'), mutants.length)
          mutants.push(...made.mutants)
          return made.code
        },
      },
    ],
  })
  await bundled.write({ dir: folder, format: 'esm' })
  return { module: `file://${folder}/apis.js`, mutants }
}
