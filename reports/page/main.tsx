import { render } from 'preact'
import type { Report } from '../report.ts'
import { ReportPage } from './report-page.tsx'

/** The page contains the report as gzip in Base64. */
async function embeddedReport(): Promise<Report> {
  const text = document.getElementById('data')?.textContent ?? ''
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json()
}

/** Replaces the summary for browsers without scripts. If rendering fails, the summary stays. */
async function showReport(): Promise<void> {
  const report = await embeddedReport()
  const place = document.getElementById('details')
  if (place === null) return
  const page = document.createElement('div')
  page.id = place.id
  render(<ReportPage report={report} />, page)
  place.replaceWith(page)
}

void showReport()
