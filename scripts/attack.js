// Runs test/attack/main.ts without Vitest: `npm run attack -- --rounds 500`. The kit is built first.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A module resolves files next to it from its source location. */
const keepPlaces = {
  name: 'keep-places',
  transform: {
    filter: { code: 'import.meta.url', id: { exclude: /node_modules/ } },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}

if (!process.argv.includes('--no-build')) {
  execFileSync(process.execPath, [`${root}scripts/build.js`], { stdio: 'inherit' })
}
process.argv = process.argv.filter((argument) => argument !== '--no-build')
const bundled = await rolldown({ input: `${root}test/attack/main.ts`, platform: 'node', plugins: [keepPlaces] })
const folder = `${root}dist.${process.pid}.attack`
await bundled.write({ file: `${folder}/main.js`, codeSplitting: false })
try {
  await import(pathToFileURL(`${folder}/main.js`).href)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
