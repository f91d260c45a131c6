import { readFileSync } from 'node:fs'

/** What every page of the kit looks like: light and dark, wide and narrow, screen and paper. */
export const readStyle = () => read('style.css')

/** The additions of the report. */
export const readReportStyle = () => read('report.css')

/** The script of the report: `scripts/page.js` bundles it from `reports/page`. */
export const readScript = () => read('page.js')

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
