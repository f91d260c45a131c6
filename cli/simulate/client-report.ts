import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { type ClientReportDocument, clientReportSchema } from '../../reports/client/document.ts'
import { renderClientHtml } from '../../reports/client/html.ts'
import type { Simulator } from '../../simulator/index.ts'
import { UsageError } from '../command-error.ts'
import { kit } from '../kit.ts'

/** Writes what the journal says of the client. */
export type WriteClientReport = (simulator: Simulator) => Promise<void>

const renderings: Readonly<Record<string, (report: ClientReportDocument) => string>> = {
  '.json': (report) => `${JSON.stringify(report, null, 2)}\n`,
  '.html': renderClientHtml,
}

/**
 * Makes sure, before anything is served, that the report can be written at the end.
 *
 * @throws {UsageError} for an unknown extension, or a folder that cannot be made
 */
export async function prepareClientReport(path: string | undefined): Promise<WriteClientReport> {
  if (path === undefined) return async () => undefined
  const render = renderings[extname(path).toLowerCase()]
  if (render === undefined) {
    throw new UsageError(`--client-report ${path} has no known extension.`, 'End the name with .html or .json.')
  }
  await mkdir(dirname(path), { recursive: true }).catch((cause: Error) => {
    throw new UsageError(`--client-report cannot be written: ${cause.message}.`, 'Choose another folder.', { cause })
  })
  const startedAt = new Date().toISOString()
  return async ({ control }) => {
    const { name, version } = kit
    const said = control.clientReport()
    const times = { startedAt, endedAt: new Date().toISOString() }
    await writeFile(path, render({ schema: clientReportSchema, kit: { name, version }, ...times, ...said }))
  }
}
