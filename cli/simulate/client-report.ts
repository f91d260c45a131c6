import { existsSync } from 'node:fs'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { pageHtml } from '../../reports/html/page.tsx'
import { plural } from '../../reports/phrases.ts'
import type { Cell, Page, Table } from '../../reports/tables.ts'
import { pageMarkdown } from '../../reports/tables-markdown.ts'
import { visibleJson } from '../../reports/visible.ts'
import type { ClientReport, Simulator } from '../../simulator/index.ts'
import { pluginQuestions } from '../../spec/plugin/questions.ts'
import { pluginRequirements } from '../../spec/plugin/requirements.ts'
import { UsageError } from '../command-error.ts'
import { makeFolder } from '../files.ts'
import { nameAndVersion } from '../version.ts'

const renderings: Readonly<Record<string, (report: ClientDocument) => string>> = {
  '.json': (report) => `${visibleJson(report, 2)}\n`,
  '.html': (report) => pageHtml(clientPage(report)),
  '.md': (report) => pageMarkdown(clientPage(report)),
}

/** Collects client reports, one before each reset and one at the end. @throws {UsageError} if the path is unusable */
export async function prepareClientReport(path: string) {
  const render = renderings[extname(path).toLowerCase()]
  if (render === undefined) {
    throw new UsageError(
      `\`--client-report ${path}\` has an unknown extension.`,
      'Use a name that ends in `.html`, `.md` or `.json`.',
    )
  }
  await rejectUnwritable(path).catch(failToWrite)
  const startedAt = new Date().toISOString()
  const reports: ClientReport[] = []
  return {
    /** Must be called before the first request. */
    watch: ({ control }: Simulator) => {
      control.onReset((report) => reports.push(report()))
    },
    write: async ({ control }: Simulator) => {
      const text = render(clientDocument(startedAt, [...reports, control.clientReport()]))
      await writeFile(path, text).catch(failToWrite)
    },
  }
}

/** Fails for a file that cannot be written. An existing file is not changed. */
async function rejectUnwritable(path: string): Promise<void> {
  await makeFolder(dirname(path))
  const isThere = existsSync(path)
  await appendFile(path, '')
  if (!isThere) await rm(path, { force: true })
}

function failToWrite(cause: Error): never {
  throw new UsageError(`\`--client-report\` cannot be written: ${cause.message}.`, 'Choose another file.', { cause })
}

/** The content of a client report. Members may be added, but not changed or removed. */
export type ClientDocument = ReturnType<typeof clientDocument>

/** Merges the reports between resets, since a reset empties the journal. `startedAt` is ISO 8601, UTC. */
export function clientDocument(startedAt: string, reports: readonly ClientReport[]) {
  const sum = (count: (report: ClientReport) => number) => reports.reduce((total, report) => total + count(report), 0)
  const covered = reports.flatMap(({ coverage }, place) => coverage.map((one) => ({ ...one, part: place + 1 })))
  return {
    schema: 'copytrade-tck/client-report@1' as const,
    kit: nameAndVersion,
    startedAt,
    endedAt: new Date().toISOString(),
    /** A reset begins a new part, in which request numbers restart at 1. */
    parts: reports.length,
    requests: sum(({ requests }) => requests),
    /** The number of earlier requests that the journal discarded. */
    forgotten: sum(({ forgotten }) => forgotten),
    /** `part` counts from 1, and `entry` is the number of the request in its part. */
    mistakes: reports.flatMap(({ mistakes }, place) => mistakes.map((one) => ({ ...one, part: place + 1 }))),
    /** The specified behaviours, how often this client exercised each, and the first request that did. */
    coverage: (reports[0]?.coverage ?? []).map(({ id, what, requirements }) => {
      const times = covered.filter((one) => one.id === id).reduce((total, one) => total + one.times, 0)
      const first = covered.find((one) => one.id === id && one.firstEntry !== null)
      const place = first === undefined ? null : { part: first.part, entry: first.firstEntry ?? 0 }
      return { id, what, requirements, times, first: place }
    }),
  }
}

export function clientPage(report: ClientDocument): Page {
  const { kit, requests, forgotten, parts, startedAt, endedAt, mistakes, coverage } = report
  const unmet = coverage.filter(({ times }) => times === 0)
  const met = coverage.filter(({ times }) => times > 0)
  const resets = parts > 1 ? `, with ${plural(parts - 1, 'reset')} in between` : ''
  const discarded =
    forgotten > 0 ? ` The journal discarded ${forgotten} earlier ones, which this report does not cover.` : ''
  return {
    look: requests === 0 ? 'incomplete' : mistakes.length > 0 ? 'non-conformant' : 'conformant',
    kit,
    heading: `Client report: ${requests === 0 ? 'no requests' : plural(mistakes.length, 'mistake')}`,
    lines: [
      `The client met ${met.length} of ${coverage.length} behaviours of the specification.`,
      `${plural(requests, 'request')} from ${startedAt} to ${endedAt}${resets}.${discarded}`,
    ],
    sections: [
      { id: 'mistakes', title: 'Mistakes', count: mistakes.length, tables: kindsOf(mistakes) },
      {
        id: 'unmet',
        title: 'Not met',
        count: unmet.length,
        note: 'The client was not tested here. Provoke the behaviour with a fault, another key or a small capacity.',
        tables: [
          {
            heads: ['Behaviour', 'Requirements'],
            rows: unmet.map(({ what, requirements }) => [{ prose: what }, reasons(requirements)]),
          },
        ],
      },
      {
        id: 'met',
        title: 'Met',
        count: met.length,
        tables: [
          {
            heads: ['Behaviour', 'Times', 'First', 'Requirements'],
            rows: met.map(({ what, times, first, requirements }) => [
              { prose: what },
              times,
              first === null ? '' : placeLabel(first),
              reasons(requirements),
            ]),
          },
        ],
      },
    ],
  }
}

type Mistakes = ClientDocument['mistakes']

/** One table for each kind of mistake, with its remedy and requirements. */
function kindsOf(mistakes: Mistakes): readonly Table[] {
  const kinds = [...new Set(mistakes.map(({ kind }) => kind))]
  return kinds.map((kind) => {
    const found = mistakes.filter((mistake) => mistake.kind === kind)
    return {
      title: [{ prose: found[0]?.remedy ?? '' }, { code: kind }],
      lines: found[0]?.requirements.map(reason) ?? [],
      heads: ['Where', 'What', 'Request'],
      rows: found.map(({ what, request, ...place }) => [
        placeLabel(place),
        { prose: what },
        { code: requestLine(request) },
      ]),
    }
  })
}

function requestLine({ method, target, body, status }: Mistakes[number]['request']): string {
  return `${method} ${target}${body ? ` ${body}` : ''} → ${status ?? 'no response'}`
}

const reasons = (ids: readonly string[]): Cell => ({ below: ids.map(reason) })

function reason(id: string): Cell {
  const requirement = pluginRequirements.find((one) => one.id === id)
  const question = pluginQuestions.find((one) => one.id === id)
  const clause = requirement?.clause ?? question?.clause ?? ''
  return [{ code: id }, `(${clause}) ${requirement?.statement ?? question?.question ?? ''}`]
}

function placeLabel({ part, entry }: { readonly part: number; readonly entry: number }): string {
  if (part === 1) return `request ${entry}`
  return `request ${entry} after ${part === 2 ? 'the first reset' : `reset ${part - 1}`}`
}
