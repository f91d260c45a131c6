// Bundles the script of `report.html`, which runs in the reader's browser. The page has no other script.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { noticeOf } from './third-party.js'

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** Writes `reports/html/page.js` and returns the ids of its modules. */
export async function bundlePage() {
  const bundled = await rolldown({
    input: path('reports/page/main.tsx'),
    platform: 'browser',
    tsconfig: path('reports/page/tsconfig.json'),
  })
  const { output } = await bundled.generate({ format: 'iife', minify: true, comments: false })
  const [{ code, moduleIds }] = output
  const script = `/*!\n${noticeOf(moduleIds)}*/\n${code}`
  // Either would end the script element or start a comment in it.
  if (/<\/script|<!--/i.test(script)) throw new Error('The script of the page cannot stand in HTML.')
  writeFileSync(path('reports/html/page.js'), script)
  return moduleIds
}
