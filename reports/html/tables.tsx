import { SectionContent } from '../page/tables.tsx'
import type { Page } from '../tables.ts'
import { visible } from '../visible.ts'
import { readStyle } from './assets.ts'
import { renderShell } from './shell.tsx'

/** A page as HTML, without scripts. */
export function pageHtml({ look, kit, heading, lines, sections, otherFiles = [] }: Page): string {
  return renderShell({
    title: heading,
    style: readStyle(),
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
        <nav aria-label="Sections of this page">
          {sections.map(({ id, title, count }) => (
            <a key={id} href={`#${id}`}>
              {visible(title)} {count !== undefined && <small>{count}</small>}
            </a>
          ))}
        </nav>
        {sections.map((section) => (
          <SectionContent key={section.id} {...section} />
        ))}
      </>
    ),
  })
}
