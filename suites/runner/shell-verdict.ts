import type { FailureData } from '../assertions/failure-data.ts'
import type { Exchange } from '../client/exchange.ts'
import { quote } from './curl.ts'

export interface Failure {
  readonly code: string | null
  readonly data: FailureData | null
}

/** A text without the characters that `plain.filter` removes. */
function visiblePart(text: string): string {
  return text.replace(/[^!-~\u0080-\u{10ffff}]/gu, '')
}

const plain = {
  options: '',
  /** The command after curl in the pipeline. */
  filter: "tr -d '[:space:][:cntrl:]'",
  /** The body that the response to a deciding step must have again; null if the statuses are enough. */
  bodyOf: null as ((step: Exchange) => string | null) | null,
  /** Whether the response depends on the rules in the list. */
  needsList: false,
  /** Whether the fault is that there is no response. */
  isSilence: false,
}

/** How a shell recognises a wrong response. */
export interface ShellVerdict extends Readonly<typeof plain> {
  /** Shell patterns for the rest of the response. */
  readonly patterns: readonly string[]
  /** Whether the patterns match a wrong response rather than a correct one. */
  readonly matchesWrong: boolean
}

/** Whether a failure with this code can be about the response to a request. */
export function isSubjectOf(code: string): (exchange: Exchange) => boolean {
  const [family = ''] = code.split('.')
  return ({ request: { method, url } }) => {
    if (family === 'add') return method === 'POST'
    if (family === 'status') return url.endsWith('/api/status')
    return !['list', 'rule', 'sequence'].includes(family) || (method === 'GET' && url.endsWith('/api/rules'))
  }
}

/** Null if a shell cannot tell. */
export function shellVerdict({ code, data }: Failure, exchange: Exchange): ShellVerdict | null {
  const { response } = exchange
  if (code === null || !isSubjectOf(code)(exchange)) return null
  if (['response.missing', 'server.died', 'server.stopped-answering'].includes(code)) {
    return response === null ? { ...plain, patterns: ['*~000'], matchesWrong: true, isSilence: true } : null
  }
  const statuses = correctStatuses(code, data)
  if (statuses !== null) return { ...plain, patterns: statuses.map((status) => `*~${status}`), matchesWrong: false }
  if (response === null) return null
  if (code.startsWith('header.')) return headerVerdict(code, response.headers)
  const body = visiblePart(response.body ?? '')
  if (code.startsWith('status.')) return memberVerdict(code, body)
  if (!/^(list|rule|add|sequence|body|error)\./.test(code)) return null
  if (code === 'body.not-object' && !/^\{.*\}$/.test(body)) {
    return { ...plain, patterns: ["'{'*'}~'???"], matchesWrong: false }
  }
  // A truncated or redacted body differs from the actual one.
  if (isCut(response.body) || /\[redacted\]|\ufffd/.test(body)) return null
  const needsList = response.status < 400
  return {
    ...plain,
    patterns: [quote(`${body}~${response.status}`)],
    matchesWrong: true,
    bodyOf: (step) => comparedBody(code, step),
    needsList,
  }
}

/** The statuses of a correct response, as shell patterns; null if the status is not what is wrong. */
function correctStatuses(code: string, data: FailureData | null): readonly string[] | null {
  const status = /^response\.status-not-(\d{3})$/.exec(code)?.[1]
  if (status !== undefined) return [status]
  if (code === 'response.status-not-allowed') return String(data?.expected).match(/\d{3}/g)
  if (code === 'response.not-success') return ['2??']
  if (code === 'response.not-client-error') return ['4??']
  return ['request.accepted', 'request.successful'].includes(code) ? ['[!2]??'] : null
}

function headerVerdict(code: string, headers: Exchange['request']['headers']): ShellVerdict {
  const name = code.startsWith('header.allow-') ? 'allow' : 'content-type'
  const value = headers.find(([one]) => one.toLowerCase() === name)?.[1]
  const line = `|${name}:${value ?? ''}`.toLowerCase().replace(/\s/g, '')
  return {
    ...{ ...plain, options: '-o /dev/null -D - ', filter: "tr 'A-Z\\n' 'a-z|' | tr -d '[:space:]'" },
    patterns: [`*${quote(value === undefined ? line : `${line}|`)}*`],
    matchesWrong: value !== undefined,
  }
}

const members = ['plugin', 'version', 'license_active', 'rules_loaded', 'api_port']

/** The body of a response to a step as a shell shows it; null if it is not compared. */
function comparedBody(code: string, { request: { method, url }, response }: Exchange): string | null {
  const isCompared = (method === 'GET' && url.endsWith('/api/rules')) || (code === sequenceFailure && method !== 'GET')
  return isCompared && !isCut(response?.body ?? null) ? visiblePart(response?.body ?? '') : null
}

/** A random sequence can fail because of any of its responses. */
export const sequenceFailure = 'sequence.list-wrong'

/** Whether the recorder truncated the body. */
export function isCut(body: string | null): boolean {
  return /… \(\d+ more characters\)$/.test(body ?? '')
}

/** Other members of a status differ from server to server. */
function memberVerdict(code: string, body: string): ShellVerdict | null {
  const member = members.find((name) => code.slice('status.'.length).replaceAll('-', '_').startsWith(name))
  if (member === undefined || code === 'status.api-port-wrong') return null
  const [found] = new RegExp(`"${member}":("[^"]*"|[^,}]*)`).exec(body) ?? []
  const needsList = member === 'rules_loaded'
  if (found === undefined) return { ...plain, patterns: [`*'"${member}":'*`], matchesWrong: false, needsList }
  const bodyOf = needsList ? (step: Exchange) => comparedBody(code, step) : null
  return { ...plain, patterns: [`*${quote(found)}[,}]*`], matchesWrong: true, bodyOf, needsList }
}
