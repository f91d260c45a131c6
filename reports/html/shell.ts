import { type Html, html, trusted } from './template.ts'

/** What differs from one page of the kit to another. */
export interface Page {
  readonly title: string
  /** The whole style sheet. */
  readonly style: string
  readonly banner: Html
  /** Null for a page that is read from top to bottom. */
  readonly navigation: Html | null
  readonly results: Html
  /** Who made it. */
  readonly kit: { readonly name: string; readonly version: string }
  /** Where the same can be had in other forms; null for nowhere. */
  readonly otherForms: Html | null
}

/**
 * A whole page for people. It loads nothing and runs nothing: the policy in its head forbids scripts,
 * so that not even a mistake here could run what a target sent.
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
<footer><p>Made by ${kit.name} ${kit.version}.${otherForms}</p></footer>
</body>
</html>
`
  return page.markup
}
