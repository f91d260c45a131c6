import { gzipSync } from 'node:zlib'
import { Banner } from '../page/banner.tsx'
import { SectionContent } from '../page/tables.tsx'
import type { Report } from '../report.ts'
import { failureSummary, overview } from '../sections.ts'
import { visible } from '../visible.ts'
import { readReportStyle, readScript, readStyle } from './assets.ts'
import { renderShell } from './shell.tsx'

/**
 * The report as one HTML page. The overview is markup. The page's script renders everything else from the compressed
 * report in the page. Without scripts a summary of the failures is shown instead.
 */
export function renderHtml(report: Report): string {
  // Control characters are escaped here, so that components can show any text.
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
