import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { pageHtml } from '../../reports/html/page.tsx'
import { pageMarkdown } from '../../reports/tables-markdown.ts'
import { visibleJson } from '../../reports/visible.ts'
import type { ClientReport, Simulator } from '../../simulator/index.ts'
import { UsageError } from '../command-error.ts'
import { requireWritable, unwritable } from '../files.ts'
import { type ClientDocument, clientDocument, clientPage } from './client-page.ts'

const renderings: Readonly<Record<string, (report: ClientDocument) => string>> = {
  '.json': (report) => `${visibleJson(report, 2)}\n`,
  '.html': (report) => pageHtml(clientPage(report)),
  '.md': (report) => pageMarkdown(clientPage(report)),
}

const name = '`--client-report`'

/** Collects client reports, one before each reset and one at the end. @throws {UsageError} if the path is unusable */
export async function prepareClientReport(path: string) {
  const render = renderings[extname(path).toLowerCase()]
  if (render === undefined) {
    throw new UsageError(
      `\`--client-report ${path}\` has an unknown extension.`,
      'Use a name that ends in `.html`, `.md` or `.json`.',
    )
  }
  await requireWritable(path, name)
  const startedAt = new Date().toISOString()
  const reports: ClientReport[] = []
  return {
    /** Must be called before the first request. */
    watch: ({ control }: Simulator) => {
      control.onReset((report) => reports.push(report()))
    },
    write: async ({ control }: Simulator) => {
      const text = render(clientDocument(startedAt, [...reports, control.clientReport()]))
      await writeFile(path, text).catch(unwritable(name))
    },
  }
}
