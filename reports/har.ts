import { STATUS_CODES } from 'node:http'
import type { Exchange, Message } from '../suites/client/exchange.ts'
import type { Report } from './report.ts'
import { visibleJsonLines } from './visible.ts'

/** The HTTP messages of a run as an HTTP Archive 1.2, one entry per exchange in the order of sending. */
export function renderHar(report: Report): string {
  const entries = usersByExchange(report).map(harEntry)
  entries.sort((a, b) => a.startedDateTime.localeCompare(b.startedDateTime) || byNumber(a._exchange, b._exchange))
  const creator = { name: report.kit.name, version: report.kit.version }
  return `${visibleJsonLines({ log: { version: '1.2', creator, pages: [], entries } }, 'entries')}\n`
}

const { compare: byNumber } = new Intl.Collator('en', { numeric: true })

function usersByExchange(report: Report) {
  const users = new Map<string, { readonly exchange: Exchange; readonly checks: string[] }>()
  const checks = report.requirements.flatMap((requirement) => requirement.checks)
  const observations = report.observations.map(({ check, exchanges }) => ({ id: check, exchanges }))
  for (const { id, exchanges } of [...checks, ...observations]) {
    for (const exchange of exchanges) {
      const known = users.get(exchange.id) ?? { exchange, checks: [] }
      known.checks.push(id)
      users.set(exchange.id, known)
    }
  }
  return [...users.values()]
}

function harEntry({ exchange, checks }: ReturnType<typeof usersByExchange>[number]) {
  return {
    startedDateTime: exchange.startedAt,
    time: exchange.durationMs,
    request: harRequest(exchange.request),
    response: harResponse(exchange),
    cache: {},
    timings: { send: 0, wait: exchange.durationMs, receive: 0 },
    comment: exchange.failure ?? `${exchange.id}, sent by ${checks.join(', ')}`,
    _exchange: exchange.id,
    _checks: checks,
  }
}

function harRequest(request: Exchange['request']) {
  return {
    method: request.method,
    url: request.url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: harHeaders(request),
    queryString: queryOf(request.url),
    ...(request.body === null ? {} : { postData: { mimeType: mimeType(request), text: request.body } }),
    headersSize: -1,
    bodySize: bodySize(request),
  }
}

function harResponse({ response, failure }: Exchange) {
  const message = response ?? { headers: [], body: null }
  return {
    status: response?.status ?? 0,
    statusText: response?.reason ?? STATUS_CODES[response?.status ?? 0] ?? '',
    httpVersion: response === null ? '' : 'HTTP/1.1',
    cookies: [],
    headers: harHeaders(message),
    content: { size: bodySize(message), mimeType: mimeType(message), text: message.body ?? '' },
    redirectURL: headerOf(message, 'location') ?? '',
    headersSize: -1,
    bodySize: response === null ? -1 : bodySize(message),
    ...(response === null ? { comment: failure ?? 'no response' } : {}),
  }
}

const harHeaders = ({ headers }: Message) => headers.map(([name, value]) => ({ name, value }))
const bodySize = ({ body }: Message) => (body === null ? 0 : Buffer.byteLength(body))
const mimeType = (message: Message) => headerOf(message, 'content-type') ?? 'application/octet-stream'

function headerOf({ headers }: Message, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}

function queryOf(url: string): { name: string; value: string }[] {
  if (!URL.canParse(url)) return []
  return Array.from(new URL(url).searchParams, ([name, value]) => ({ name, value }))
}
