import { layOutJson } from './json-layout.ts'
import type { ReportedCheck } from './report.ts'
import { visible } from './visible.ts'

/**
 * The reproduction of a failure as a shell script that exits with 1 while the fault is there. If a shell cannot judge
 * the response, the script only sends the requests. Null if there is nothing to send.
 */
export function reproductionScript(check: ReportedCheck): string | null {
  if (check.curl === null) return null
  const lines = check.curl.split('\n')
  const last = lines.pop() ?? ''
  const verdict = last.startsWith('curl -i ') ? verdictOf(check) : null
  if (verdict === null) return check.curl
  const steps = lines.map((line) => (/^# .*server\.$/.test(line) ? prompt(line.slice(2)) : line))
  const request = last.replace('curl -i', "curl -s -w '%{http_code}'")
  return [
    '#!/bin/sh',
    '# Exits with 1 while the fault is there.',
    ...steps,
    '# White space aside, and the status at the end:',
    `response=$(${request} | tr -d '[:space:]')`,
    ...verdict,
  ].join('\n')
}

/** Steps that a shell cannot do are left to the person who runs the script. */
function prompt(step: string): string {
  return `printf '%s Then press Enter. ' '${step}'; read -r _`
}

/** Lines that exit with 1 if `$response` is wrong; null if they cannot tell. */
function verdictOf(check: ReportedCheck): readonly string[] | null {
  const code = check.code ?? ''
  const allowed = allowedStatus(code)
  if (allowed !== null) return [`case $response in *${allowed}) ;; *) echo "Wrong: $response"; exit 1 ;; esac`]
  if (!/^(list|rule|add|start|sequence)\./.test(code)) return null
  const { response = null } = check.exchanges.find(({ id }) => id === check.decidedBy) ?? {}
  const wrong = `${response?.body ?? ''}${response?.status}`.replace(/\s/g, '')
  // A body in the report may be truncated or have escaped control characters.
  const isWhole = layOutJson(response?.body ?? '') !== null
  if (!isWhole || visible(wrong) !== wrong || /['\\]/.test(wrong)) return null
  return [`[ "$response" != '${wrong}' ] || { echo "Still wrong: $response"; exit 1; }`]
}

/** The status of a correct response as a shell pattern; null if the status is not what is wrong. */
function allowedStatus(code: string): string | null {
  const status = /^response\.status-not-(\d{3})$/.exec(code)?.[1]
  if (status !== undefined) return status
  if (code === 'response.not-success') return '2??'
  if (code === 'response.not-client-error') return '4??'
  return ['request.accepted', 'request.successful', 'capacity.rule-accepted'].includes(code) ? '[!2]??' : null
}
