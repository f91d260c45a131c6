import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderBadge } from './badge.ts'
import { renderCtrf } from './ctrf.ts'
import { renderHar } from './har.ts'
import { renderHtml } from './html/page.tsx'
import { renderJunit } from './junit.ts'
import type { Report } from './report.ts'
import { renderSummary } from './summary.ts'
import { visibleJsonLines } from './visible.ts'

/** The formats of a report besides `report.json`. */
export const renderers = {
  html: renderHtml,
  junit: renderJunit,
  md: renderSummary,
  har: renderHar,
  ctrf: renderCtrf,
  badge: renderBadge,
} as const satisfies Readonly<Record<string, (report: Report) => string>>

export type Format = keyof typeof renderers

const fileNames = {
  json: 'report.json',
  html: 'report.html',
  junit: 'junit.xml',
  summary: 'summary.md',
  har: 'exchanges.har',
}

/** Removes the files of an earlier run, whose results must not pass for those of a run that ends without a report. */
export async function removeReports(dir: string): Promise<void> {
  for (const name of Object.values(fileNames)) await rm(join(dir, name), { force: true })
}

/**
 * Writes every rendering of a report into a folder, which is created if needed. Files of an earlier run are replaced
 * atomically, so readers never see partial files. The report must be redacted.
 */
export async function writeReports(report: Report, dir: string) {
  await mkdir(dir, { recursive: true })
  const write = (name: string, text: string) => writeWhole(join(dir, name), text)
  return {
    json: await write(fileNames.json, `${visibleJsonLines(report, 'exchanges')}\n`),
    html: await write(fileNames.html, renderHtml(report)),
    junit: await write(fileNames.junit, renderJunit(report)),
    summary: await write(fileNames.summary, renderSummary(report)),
    har: await write(fileNames.har, renderHar(report)),
  }
}

/** Writes or atomically replaces a file, from one text or from chunks. Returns its path. */
export async function writeWhole(path: string, text: string | Iterable<string>): Promise<string> {
  const unfinished = `${path}.${process.pid}.tmp`
  try {
    await writeFile(unfinished, text)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return path
}
