import type { Exchange, Message } from '../../suites/client/exchange.ts'
import { layOutJson } from '../json-layout.ts'
import { formatDuration, plural } from '../phrases.ts'
import { type Html, html } from './template.ts'

/** Longer bodies are cut, so that the page stays fast; `exchanges.har` holds all of them. */
const longestBody = 6000

/** The exchanges behind a check or an observation, folded away. */
export function renderExchanges(exchanges: readonly Exchange[], omitted: number): Html | null {
  if (exchanges.length + omitted === 0) return null
  const more = omitted > 0 && html`<p class="note">${plural(omitted, 'more exchange')} were not recorded.</p>`
  return html`<details class="exchanges"><summary>${plural(exchanges.length, 'HTTP exchange')}</summary>${exchanges.map(renderExchange)}${more}</details>`
}

function renderExchange(exchange: Exchange): Html {
  const { id, request, response, durationMs } = exchange
  const status = response === null ? html`<b class="none">no response</b>` : html`<b>${response.status}</b>`
  return html`<details class="exchange"><summary><code>${request.method} ${pathOf(request.url)}</code> ${status} <small>${id}, ${formatDuration(durationMs)}</small></summary><div class="pair">${renderRequest(exchange)}${renderResponse(exchange)}</div></details>`
}

function renderRequest({ request }: Exchange): Html {
  return renderMessage('Request', `${request.method} ${request.url}`, request)
}

function renderResponse({ response, failure }: Exchange): Html {
  if (response !== null) return renderMessage('Response', String(response.status), response)
  return html`<figure><figcaption>Response</figcaption><p class="none">${failure ?? 'No response.'}</p></figure>`
}

function renderMessage(caption: string, firstLine: string, { headers, body }: Message): Html {
  const lines = headers.map(([name, value]) => html`\n<i>${name}:</i> ${value}`)
  const content = body !== null && body !== '' && html`\n\n${readableBody(body)}`
  return html`<figure><figcaption>${caption}</figcaption><pre>${firstLine}${lines}${content}</pre></figure>`
}

function readableBody(body: string): string {
  if (body.length > longestBody * 4) return cut(body)
  return cut(layOutJson(body) ?? body)
}

function cut(text: string): string {
  if (text.length <= longestBody) return text
  return `${text.slice(0, longestBody)}\n… ${text.length - longestBody} more characters: see exchanges.har`
}

/** The path as it was sent: parsing would normalise what some checks test. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
}
