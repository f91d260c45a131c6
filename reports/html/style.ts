import { statuses } from '../phrases.ts'

const colours = `
:root { color-scheme: light dark; --page: #fafaf7; --card: #fff; --line: #d9d8d0; --text: #1d1f21; --soft: #5b5f63;
  --well: #f2f1ec; --link: #0b57a4; --red: #a61b1b; --red-well: #fdeeec; --green: #1c6b35; --green-well: #e9f5ec;
  --amber: #7d4e00; --amber-well: #fdf3de; --blue: #1d5a8f; --blue-well: #e8f1f9; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #15171a; --card: #1d2024; --line: #383d43; --text: #e6e7e4;
  --soft: #a6abb0; --well: #15171a; --link: #8fc1f5; --red: #ff9c93; --red-well: #3a1c1b; --green: #86d49b;
  --green-well: #17301f; --amber: #efc069; --amber-well: #362a12; --blue: #93c5f2; --blue-well: #182c3f; } }
@media print { :root { --page: #fff; --card: #fff; } }
`

const page = `
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
p { margin: .5rem 0; max-width: 75ch; overflow-wrap: anywhere; }
h1 { margin: .25rem 0; font-size: 2.25rem; line-height: 1.15; letter-spacing: -.02em; }
h2 { margin: 0 0 .75rem; font-size: 1.3rem; line-height: 1.25; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
h2 small { color: var(--soft); font-weight: 400; }
small { font-size: .85rem; color: var(--soft); }
code, pre { font: .85rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
main > section { margin-top: 2.5rem; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; }
.note { color: var(--soft); }
.banner { padding: 1.25rem 1.5rem; border-radius: .5rem; border-left: .5rem solid; }
.banner p { color: var(--text); font-size: 1.05rem; } .banner .kit { color: var(--soft); font-size: .85rem; }
.conformant { background: var(--green-well); color: var(--green); }
.partial { background: var(--blue-well); color: var(--blue); }
.non-conformant { background: var(--red-well); color: var(--red); }
.incomplete { background: var(--amber-well); color: var(--amber); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: 1rem 0; border-bottom: 1px solid var(--line); }
.overview { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2rem 3rem; margin-top: 1.75rem; }
dl { margin: 0; } dl div { display: grid; grid-template-columns: 8rem minmax(0, 1fr); padding: .2rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); font-weight: 400; }
th:first-child { text-align: left; padding-left: 0; } thead th { color: var(--soft); font-size: .85rem; }
td:last-child { font-weight: 600; } td.zero { color: var(--soft); font-weight: 400; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .85rem; }
`

const parts = `
.status { display: inline-block; padding: 0 .5rem; border-radius: 1rem; font-size: .8rem; line-height: 1.5rem;
  font-weight: 600; white-space: nowrap; background: var(--well); color: var(--soft); border: 1px solid var(--line); }
.status:is(.passed, .failed, .blocked, .differs, .partly-judged) { border-color: transparent; }
.status.passed { background: var(--green-well); color: var(--green); }
.status.failed, .status.error { background: var(--red-well); color: var(--red); }
.status.error { border-color: currentcolor; }
.status.blocked { background: var(--amber-well); color: var(--amber); }
.status:is(.differs, .partly-judged) { background: var(--blue-well); color: var(--blue); }
.requirement, .question { display: block; margin: .4rem 0; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--card); }
#part-failed .requirement { border-left: .3rem solid var(--red); }
#part-findings .requirement, #part-unjudged .requirement { border-left: .3rem solid var(--amber); }
.requirement > summary, .question > summary, .pointer { display: grid; align-items: start; gap: .25rem .75rem;
  grid-template-columns: 9.5rem minmax(0, 1fr) auto; padding: .55rem .9rem; }
.requirement > summary > .status, .question > summary > .status, .pointer > .status { justify-self: start; }
.pointer { color: inherit; text-decoration: none; } .pointer::after { content: "↑"; color: var(--soft); }
.pointer:hover .headline, summary:hover .headline { text-decoration: underline; text-underline-offset: .2em; }
summary { cursor: pointer; } .requirement > summary, .question > summary { list-style: none; }
.requirement > summary::-webkit-details-marker, .question > summary::-webkit-details-marker { display: none; }
.requirement:target { outline: 2px solid var(--link); outline-offset: 2px; }
.requirement > summary::after, .question > summary::after { content: "+"; color: var(--soft); font-weight: 600; }
.requirement[open] > summary::after, .question[open] > summary::after { content: "–"; }
.headline small { display: block; overflow-wrap: anywhere; }
.headline code { font-size: inherit; margin-right: .35rem; }
.inside { padding: .25rem .9rem .9rem; border-top: 1px solid var(--line); }
.check { margin-top: .9rem; } .check .title { display: flex; gap: .6rem; align-items: baseline; max-width: none; }
.check + .check { border-top: 1px solid var(--line); padding-top: .5rem; }
.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .75rem; margin: .5rem 0; }
figure { margin: 0; min-width: 0; } figure.curl { margin: .5rem 0; }
figcaption { font-size: .85rem; color: var(--soft); }
figure.expected figcaption { color: var(--green); } figure.actual figcaption { color: var(--red); }
pre { margin: .2rem 0 0; padding: .5rem .7rem; background: var(--well); border: 1px solid var(--line);
  border-radius: .3rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.curl pre { user-select: all; } pre i { font-style: normal; color: var(--soft); }
.exchanges { margin-top: .5rem; } .exchanges > summary, .exchange > summary { padding: .2rem 0; }
.exchange { margin-left: 1rem; } .exchange .none { color: var(--red); }
.filter { border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .9rem .5rem; margin: 0; }
.filter legend { color: var(--soft); font-size: .85rem; padding: 0 .3rem; }
.filter label { display: inline-block; margin-right: 1.1rem; padding: .15rem 0; cursor: pointer; }
.harmed { color: var(--red); }
.clause { content-visibility: auto; contain-intrinsic-size: auto 20rem; }
`

const narrow = `
@media (max-width: 46rem) {
  body { padding: .75rem; } h1 { font-size: 1.75rem; } .banner { padding: .9rem 1rem; }
  .overview, .pair { grid-template-columns: minmax(0, 1fr); }
  .requirement > summary, .question > summary, .pointer { grid-template-columns: minmax(0, 1fr) auto; }
  .headline { grid-column: 1 / -1; grid-row: 2; } dl div { grid-template-columns: 6.5rem minmax(0, 1fr); }
  table { width: 100%; } th, td { padding: .25rem .15rem; font-size: .85rem; } thead th { font-size: .75rem; }
  .check .title { display: block; } .exchange { margin-left: .3rem; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; } nav, .filter, .skip { display: none; }
  .pair, .banner, tr { break-inside: avoid; } h2, h3, summary { break-after: avoid; }
  .clause { content-visibility: visible; }
  #part-unjudged .requirement::details-content { content-visibility: visible; display: block; } .status, .banner { print-color-adjust: exact; }
}
`

/** A chosen status hides the rest, and the clauses that have nothing left to show. */
const filter = statuses
  .map(
    (status) => `
body:has(#show-${status}:checked) .clause [data-status]:not([data-status="${status}"]),
body:has(#show-${status}:checked) .clause:not(:has([data-status="${status}"])) { display: none; }`,
  )
  .join('')

/** The style sheet of the page: light and dark, wide and narrow, screen and paper. */
export const style = [colours, page, parts, narrow, filter].join('')
