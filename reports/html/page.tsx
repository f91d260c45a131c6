import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { VNode } from 'preact'
import { renderToStaticMarkup } from 'preact-render-to-string'
import { Banner } from '../page/banner.tsx'
import { Navigation, SectionContent } from '../page/section.tsx'
import type { Report } from '../report.ts'
import { failureSummary, overview } from '../sections.ts'
import type { Page } from '../tables.ts'
import { visible } from '../visible.ts'

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
    style: read('style.css') + read('report.css'),
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
    script: { code: read('page.js'), data: gzipSync(json).toString('base64') },
  })
}

export function pageHtml({ look, kit, heading, lines, sections, otherFiles = [] }: Page): string {
  return renderShell({
    title: heading,
    style: read('style.css'),
    kit,
    otherFiles,
    banner: (
      <header class={`banner ${look}`}>
        <p class="kit">
          {kit.name} {kit.version}
          {kit.requirementsVersion && `, requirements ${kit.requirementsVersion}`}
        </p>
        <h1>{visible(heading)}</h1>
        {lines.map((line) => (
          <p key={line}>{visible(line)}</p>
        ))}
      </header>
    ),
    results: (
      <>
        <Navigation label="Sections of this page" sections={sections} />
        {sections.map((section) => (
          <SectionContent key={section.id} {...section} />
        ))}
      </>
    ),
  })
}

interface Shell extends Required<Pick<Page, 'kit' | 'otherFiles'>> {
  readonly title: string
  readonly style: string
  readonly banner: VNode
  readonly results: VNode
  /** The only script that may run, and its input in Base64; absent for a page without a script. */
  readonly script?: { readonly code: string; readonly data: string }
}

/**
 * A complete page. It loads nothing, and its content security policy allows only its own script and style, so that text
 * of a target never runs even if it were not escaped.
 */
function renderShell({ title, style, banner, results, kit, otherFiles, script }: Shell): string {
  const scripts = script === undefined ? "'none'" : hashOf(script.code)
  const policy = `default-src 'none'; script-src ${scripts}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`
  const body = (
    <>
      <a class="skip" href="#main">
        Skip to the results
      </a>
      {banner}
      <main id="main">{results}</main>
      <footer>
        <p>
          Created by {kit.name} {kit.version}.
          {otherFiles.length > 0 && ` Other formats of this page: ${otherFiles.join(', ')}.`}
        </p>
      </footer>
    </>
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${renderToStaticMarkup(<title>{visible(title)}</title>)}
<style>${style}</style>
</head>
<body>
${renderToStaticMarkup(body)}
${script === undefined ? '' : `<script type="text/plain" id="data">${script.data}</script><script>${script.code}</script>`}
</body>
</html>
`
}

/** A style sheet, or the script that `scripts/page.js` bundles from `reports/page`. */
function read(name: 'style.css' | 'report.css' | 'page.js'): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

/** The hash by which a content security policy names a script or a style. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
