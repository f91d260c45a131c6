import { readFileSync } from 'node:fs'

/** The style sheet of every page. */
export const readStyle = () => read('style.css')

/** The additional styles of the report. */
export const readReportStyle = () => read('report.css')

/** The script of the report: `scripts/page.js` bundles it from `reports/page`. */
export const readScript = () => read('page.js')

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
