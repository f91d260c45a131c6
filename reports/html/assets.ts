import { readFileSync } from 'node:fs'

/** What every page of the kit looks like: light and dark, wide and narrow, screen and paper. */
const readStyle = () => read('style.css')

/** The style sheet of the report. */
export const reportStyle = () => readStyle() + read('report.css')

/** The style sheet of a page of tables. */
export const tableStyle = () => readStyle() + read('tables.css')

/** The script of the report: `scripts/page.js` bundles it from `reports/page`. */
export const readScript = () => read('page.js')

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
