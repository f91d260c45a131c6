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
}

/**
 * A complete page. It loads nothing and runs nothing: its content security policy forbids scripts, so
 * that even a mistake here could not run what a target sent.
 */
export function renderShell({ title, style, banner, navigation, results, kit, otherForms }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
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
</body>
</html>
`
  return page.markup
}
