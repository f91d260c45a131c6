// Compiles the product to dist/. Node needs a millisecond for each module that it loads, and a run needs some three
// hundred: bundling them saves a fifth of the time of a short run. The old folder stays until the new one is complete,
// so that no process sees an incomplete build.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { bundlePage } from './page.js'
import { noticeOf } from './third-party.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = (name) => `${root}${name}`
const compiled = path(`dist.${process.pid}.compiled`)
const fresh = path(`dist.${process.pid}`)

/** Modules that are started or imported by their path. `test/broken-modules` uses the last five. */
const reachedByPath = [
  'suites/runner/worker',
  'suites/runner/run-in-worker',
  'suites/targets/container/remover',
  'cli/simulate/health',
  'cli/selftest/child',
  'cli/selftest/apis',
  'cli/selftest/selftest',
  'cli/target/apis',
  'suites/assertions/failure',
]

const { bin, dependencies, devDependencies, exports, peerDependencies } = JSON.parse(
  readFileSync(path('package.json'), 'utf8'),
)

/** `debug` tries to load it, and works without it. */
const optionalPackages = ['supports-color']

/** Files other than modules that are read at run time. */
const assets = [
  'reports/html/page.js',
  'reports/html/report.css',
  'reports/html/style.css',
  'reports/report.schema.json',
  'cli/fleet/fleet.schema.json',
  'simulator/control/server/page',
  'spec/openapi',
]

/**
 * One table of media types for all packages that need it: npm installs three, and a server would load them all at its
 * start.
 */
const mimeTypes = createRequire(createRequire(import.meta.url).resolve('koa')).resolve('mime-types')

/** A module resolves files next to it from its source location, not from that of the chunk that contains it. */
const keepPlaces = {
  name: 'keep-places',
  transform: {
    filter: { code: 'import.meta.url', id: { exclude: /node_modules/ } },
    handler: (code, id) =>
      code.replaceAll('import.meta.url', `new URL("place:${relative(compiled, id)}", import.meta.url).href`),
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(/"place:([^"]+)"/g, (_, place) => JSON.stringify(relative(dirname(fileName), place))),
}

try {
  if (!compile()) process.exitCode = 1
  else {
    await bundle()
    cpSync(compiled, fresh, { recursive: true, filter: (name) => !name.endsWith('.js') })
    for (const asset of assets) cpSync(path(asset), `${fresh}/${asset}`, { recursive: true })
    chmodSync(`${fresh}/cli/main.js`, 0o755)
    rmSync(path('dist'), { recursive: true, force: true })
    renameSync(fresh, path('dist'))
  }
} finally {
  for (const folder of [compiled, fresh]) rmSync(folder, { recursive: true, force: true })
}

function compile() {
  const args = [path('node_modules/typescript/bin/tsc'), '-p', path('tsconfig.build.json'), '--outDir', compiled]
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0
}

async function bundle() {
  const names = [...published(), ...reachedByPath]
  const bundled = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, `${compiled}/${name}.js`])),
    platform: 'node',
    external: isExternal,
    resolve: { alias: { 'mime-types': mimeTypes } },
    preserveEntrySignatures: 'strict',
    plugins: [keepPlaces],
    // A bundled package uses it on purpose.
    checks: { eval: false },
  })
  const { output } = await bundled.write({ dir: fresh, chunkFileNames: 'chunks/[name].js' })
  const moduleIds = [...output.flatMap(({ moduleIds = [] }) => moduleIds), ...(await bundlePage())]
  writeFileSync(`${fresh}/THIRD-PARTY-NOTICES.txt`, noticeOf(moduleIds))
}

/** Whether a module is loaded from the user's packages, or from Node.js. */
function isExternal(id, importer = '') {
  if (/^[./\0]/.test(id)) return false
  if (isBuiltin(id)) return true
  const name = /^(@[^/]+\/)?[^/]+/.exec(id)?.[0]
  if (name in peerDependencies || optionalPackages.includes(name)) return true
  // Installed separately, these and their dependencies would be many packages. The published types need those in
  // `dependencies`.
  if (importer.includes('/node_modules/') || name in { ...dependencies, ...devDependencies }) return false
  throw new Error(`${importer} imports ${name}, which is neither a dependency nor bundled.`)
}

/** The entries of the package, as its users import and start them. */
function published() {
  const files = [...Object.values(bin), ...Object.values(exports).map((entry) => entry.default ?? '')]
  return files.flatMap((file) => /^(?:\.\/)?dist\/(.+)\.js$/.exec(file)?.[1] ?? [])
}
