import { answerOriginBy, type HandedOut } from '../../simulator/embed/nock-origin.ts'
import type { Recording } from '../../suites/recording/read.ts'
import { bytesFrom, type RecordedExchange } from '../../suites/recording/recording.ts'
import { numberHeader, valuesWith } from '../../suites/recording/replay.ts'

/** What described how the recorded bytes travelled, and does not hold for the bytes themselves. */
const framing = ['content-length', 'transfer-encoding', 'content-encoding', 'connection', 'keep-alive']

/** Lets the origin of the recorded server answer with what was recorded; nothing leaves the process. */
export function answerRecorded({ run, checks }: Recording, standIn: string): { readonly restore: () => void } {
  const exchanges = new Map([...checks.values()].flatMap((check) => check.exchanges.map((one) => [one.number, one])))
  return answerOriginBy(new URL(run.url).origin, async ({ headers }) => {
    const number = headers.find(([name]) => name === numberHeader)?.[1]
    const exchange = exchanges.get(Number(number))
    if (exchange === undefined) throw new Error(`there is no recorded exchange ${number}`)
    return handedOut(exchange, standIn)
  })
}

function handedOut({ request, outcome }: RecordedExchange, standIn: string): HandedOut {
  if (typeof outcome === 'string') throw new Error(outcome)
  const body = bytesFrom(outcome.body, standIn)
  const kept = Object.entries(valuesWith(outcome.headers, standIn))
  if (request.method === 'HEAD') return { status: outcome.status, headers: kept, body }
  const headers = kept.filter(([name]) => !framing.includes(name.toLowerCase()))
  return { status: outcome.status, headers: [...headers, ['content-length', String(body.length)]], body }
}
