import { expect, test } from 'vitest'
import { pageHtml } from '../../reports/html/page.tsx'
import { pageMarkdown } from '../../reports/tables-markdown.ts'
import { type ClientDocument, clientPage } from './client-page.ts'

const hostile = '<img src=x> | `x` \u001b[2J'

const mistake: ClientDocument['mistakes'][number] = {
  kind: 'stale-index',
  part: 2,
  entry: 7,
  request: { method: 'POST', target: '/api/rules', body: hostile, status: null },
  what: 'used an old index',
  remedy: 'Read `GET /api/rules` again.',
  requirements: ['plugin.list.ok'],
}

const report: ClientDocument = {
  schema: 'copytrade-tck/client-report@1',
  kit: { name: 'copytrade-tck', version: '1' },
  startedAt: '2026-03-04T09:15:00.000Z',
  endedAt: '2026-03-04T09:16:00.000Z',
  parts: 2,
  requests: 3,
  forgotten: 1,
  mistakes: [mistake],
  coverage: [
    { id: 'a', what: 'an empty list', requirements: ['plugin.list.ok'], times: 2, first: { part: 1, entry: 4 } },
    { id: 'b', what: 'a full list', requirements: [], times: 0, first: null },
  ],
}
const page = clientPage(report)

test('equal mistakes are one row with their number', () => {
  const others = [
    { ...mistake, entry: 8 },
    { ...mistake, entry: 9 },
    { ...mistake, what: 'another one', entry: 10 },
  ]
  const markdown = pageMarkdown(clientPage({ ...report, mistakes: [mistake, ...others] }))
  expect(markdown).toContain('# Client report: 4 mistakes\n')
  expect(markdown).toContain('| request 7 after the first reset, and 2 more | used an old index |')
  expect(markdown).toContain('| request 10 after the first reset | another one |')
  expect(markdown.match(/used an old index/g)).toHaveLength(1)
})

test('a client report in Markdown has the mistakes with their remedies, and the coverage', () => {
  const markdown = pageMarkdown(page)
  expect(markdown).toContain('# Client report: 1 mistake\n')
  expect(markdown).toContain(
    '3 requests from 2026-03-04T09:15:00.000Z to 2026-03-04T09:16:00.000Z, with 1 reset in between',
  )
  expect(markdown).toContain('### Read `GET /api/rules` again. `stale-index`\n\n- `plugin.list.ok` (4.2)')
  expect(markdown).toContain('| request 7 after the first reset | used an old index |')
  expect(markdown).toContain('| an empty list | 2 | request 4 | `plugin.list.ok`')
  expect(markdown).toMatch(/## Not met\n\n.+\n\n.+\n.+\n\| a full list \|/)
})

test('text of a client is escaped, in HTML and in Markdown', () => {
  const html = pageHtml(page)
  expect(html).toContain('&lt;img src=x> | `x` \\u001b[2J')
  expect(html).toContain('Read <code>GET /api/rules</code> again.')
  for (const text of [html, pageMarkdown(page)]) expect(text).not.toContain('\u001b')
  expect(html).not.toContain('<img')
  expect(pageMarkdown(page)).toContain('| POST /api/rules \\<img src=x\\> \\| \\`x\\`')
})
