import { createHash } from 'node:crypto'
import type { VNode } from 'preact'
import { renderToStaticMarkup } from 'preact-render-to-string'
import { visible } from '../visible.ts'

/** The contents of a page. */
interface Shell {
  readonly title: string
  /** The whole style sheet. */
  readonly style: string
  readonly banner: VNode
  readonly results: VNode
  /** The kit that created the page. */
  readonly kit: { readonly name: string; readonly version: string }
  /** Names of other files with the same content. */
  readonly otherFiles: readonly string[]
  /** The only script that may run, and its input in Base64; absent for a page without a script. */
  readonly script?: { readonly code: string; readonly data: string }
}

/**
 * A complete page. It loads nothing, and its content security policy allows only its own script and style, so that text
 * of a target never runs even if it were not escaped.
 */
export function renderShell({ title, style, banner, results, kit, otherFiles, script }: Shell): string {
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

/** The hash by which a content security policy names a script or a style. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
