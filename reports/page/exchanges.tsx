import type { Exchange, Message } from '../../suites/client/exchange.ts'
import { layOutJson } from '../json-layout.ts'
import { formatDuration, plural } from '../phrases.ts'
import type { ReportedCheck } from '../report.ts'
import { LazyDetails } from './lazy-details.tsx'

type Given = Pick<ReportedCheck, 'exchanges' | 'exchangesOmitted' | 'decidedBy'>

/** The exchanges of a check or an observation. The deciding one comes first and is open. */
export function Exchanges({ exchanges, exchangesOmitted, decidedBy }: Given) {
  const deciding = exchanges.find(({ id }) => id === decidedBy)
  const others = exchanges.filter((exchange) => exchange !== deciding)
  const count = others.length + exchangesOmitted
  return (
    <>
      {deciding && <ExchangeDetails exchange={deciding} note="the deciding response" />}
      {count > 0 && (
        <LazyDetails class="exchanges" summary={plural(count, deciding ? 'other exchange' : 'exchange')}>
          {() => (
            <>
              {others.map((exchange) => (
                <ExchangeDetails key={exchange.id} exchange={exchange} />
              ))}
              {exchangesOmitted > 0 && <p class="note">Not in this report: {plural(exchangesOmitted, 'exchange')}.</p>}
            </>
          )}
        </LazyDetails>
      )}
    </>
  )
}

function ExchangeDetails({ exchange, note }: { readonly exchange: Exchange; readonly note?: string }) {
  const { id, request, response, failure, durationMs } = exchange
  const summary = (
    <>
      <code>
        {request.method} {pathOf(request.url)}
      </code>{' '}
      <b class={response === null ? 'none' : ''}>{response?.status ?? 'no response'}</b>{' '}
      <small>
        {id}, {formatDuration(durationMs)}
        {note && `, ${note}`}
      </small>
    </>
  )
  return (
    <LazyDetails class="exchange" summary={summary}>
      {() => (
        <div class="pair">
          <Shown caption="Request" firstLine={`${request.method} ${request.url}`} message={request} />
          {response === null ? (
            <figure>
              <figcaption>Response</figcaption>
              <p class="none">{failure ?? 'No response.'}</p>
            </figure>
          ) : (
            <Shown caption="Response" firstLine={`${response.status} ${response.reason ?? ''}`} message={response} />
          )}
        </div>
      )}
    </LazyDetails>
  )
}

interface Shown {
  readonly caption: string
  readonly firstLine: string
  readonly message: Message
}

function Shown({ caption, firstLine, message: { headers, body } }: Shown) {
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      <pre>
        {firstLine}
        {headers.map(([name, value], place) => (
          <span key={place}>
            {'\n'}
            <i>{name}:</i> {value}
          </span>
        ))}
        {body !== null && body !== '' && `\n\n${layOutJson(body) ?? body}`}
      </pre>
    </figure>
  )
}

/** The path as sent, since parsing would normalise what some checks test. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
}
