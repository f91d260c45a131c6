import { gzipSync } from 'node:zlib'
import { Banner } from '../page/banner.tsx'
import { SectionContent } from '../page/tables.tsx'
import type { Report } from '../report.ts'
import { failureSummary, overview } from '../sections.ts'
import { visible } from '../visible.ts'
import { readReportStyle, readScript, readStyle } from './assets.ts'
import { renderShell } from './shell.tsx'

/**
 * The report as one HTML page for people. The verdict and what it is about are markup; everything else is
 * rendered by the script of the page from the report, which the page holds compressed. Without scripts a
 * summary of the failures stays in its place.
 */
export function renderHtml(report: Report): string {
  // What a target sent is made visible here, so that every component can show any text as it is.
  const json = JSON.stringify(report, (_, value: unknown) => (typeof value === 'string' ? visible(value) : value))
  const shown: Report = JSON.parse(json)
  return renderShell({
    title: `${report.verdict}: ${report.target.url}`,
    style: readStyle() + readReportStyle(),
    kit: report.kit,
    banner: <Banner report={shown} />,
    results: (
      <>
        <div class="overview">
          {overview(shown).map((section) => (
            <SectionContent key={section.id} {...section} />
          ))}
        </div>
        <div id="details">
          <SectionContent {...failureSummary(shown)} />
        </div>
      </>
    ),
    otherFiles: ['report.json', 'junit.xml', 'summary.md', 'exchanges.har'],
    script: { code: readScript(), data: gzipSync(json).toString('base64') },
  })
}
