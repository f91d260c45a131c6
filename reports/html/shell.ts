import { createHash } from 'node:crypto'
import { type Html, html, trusted } from './template.ts'

/** The contents of a page. */
export interface Page {
  readonly title: string
  /** The whole style sheet. */
  readonly style: string
  readonly banner: Html
  /** Null for a page without navigation. */
  readonly navigation: Html | null
  readonly results: Html
  /** The kit that created the page. */
  readonly kit: { readonly name: string; readonly version: string }
  /** Other files with the same content; null for none. */
  readonly otherForms: Html | null
  /** The only script that may run, and what it reads as Base64; absent for a page without one. */
  readonly script?: { readonly code: string; readonly data: string }
}

/**
 * A complete page. It loads nothing, and its content security policy allows nothing but its own script and
 * style, so that even a mistake here could not run what a target sent.
 */
export function renderShell({ title, style, banner, navigation, results, kit, otherForms, script }: Page): string {
  const scripts = script === undefined ? "'none'" : hashOf(script.code)
  const policy = `default-src 'none'; script-src ${scripts}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
${banner}
${navigation}
<main id="main">
${results}
</main>
<footer><p>Created by ${kit.name} ${kit.version}.${otherForms}</p></footer>
${script !== undefined && [scriptElement(' type="text/plain" id="data"', script.data), scriptElement('', script.code)]}
</body>
</html>
`
  return page.markup
}

function scriptElement(attributes: string, content: string): Html {
  return trusted(`<script${attributes}>${content}</script>`)
}

/** What a content security policy names a script or a style by. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
