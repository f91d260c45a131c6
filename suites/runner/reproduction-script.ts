import type { FailureStep } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { curlArguments, quote, toCurl } from './curl.ts'
import type { ReproductionOptions, ScriptPlan } from './reproduction-plan.ts'

/** Prints the rules of a list and the status, e.g. ` 1001>2001 1001>2002 = 200`. */
const listFilter = `tr -d '[:space:]' | tr ',{}' '\\n\\n\\n' | sed -n 's/^"master":/ /p; s/^"follower":/>/p; $s/^/ = /p' | tr -d '\\n'`

/** A script that reads the list, sends the requests in one go, and judges the last response. */
export function judgingScript(plan: ScriptPlan, options: ReproductionOptions): string {
  const { base, deciding, verdict } = plan
  const { keyVariable, owned, rerun } = options
  const listRequest = listRequestOf(plan, options)
  const last = curlArguments(plan.failing, keyVariable, base)
  const end = (isShown: boolean) => conclude(isShown ? 'The fault is shown' : 'The fault is not shown', isShown ? 1 : 0)
  const answered = deciding.map((one, at) => (at < plan.checked ? statusPattern(one) : '~???,')).join('')
  const same = deciding.map((one) => `${quote(verdict.bodyOf?.(one) ?? '')}~${statusOf(one)},`).join('')
  const patterns = verdict.patterns.map((one) => `$first${verdict.bodyOf ? same : answered}${one}`).join(' | ')
  return [
    '#!/bin/sh',
    '# Exits with 1 where the fault is shown, with 0 where it is not, with 2 where the server is not in the state for it.',
    '# It does not restore the list. For another server, give its address as the argument.',
    ...(owned ? [`# For a server in this state add to the run: ${rerun} --keep-server`] : []),
    // A body need not be text.
    'export LC_ALL=C',
    `url=$\{1:-${quote(base)}}`,
    `[ -n "$${keyVariable}" ] || { echo 'Set ${keyVariable} to the key of the server.'; exit 2; }`,
    ...(listRequest === null ? [] : requireList(plan, listRequest)),
    ...steps(plan, listRequest, keyVariable),
    '# All on one connection, if the server allows it. White space aside, with the status at the end:',
    `response=$(curl --fail-early "$@" -s -m 10 ${verdict.options}-w '~%{http_code}' ${last} | ${verdict.filter})`,
    `statuses=$(printf '%s' "$response" | tr '~' '\\n' | sed -n 's/^\\([0-9][0-9][0-9],\\).*/~\\1/p' | tr -d '\\n')`,
    `case $statuses in $first${answered}) ;; *) ${conclude('not in the state that this needs: the responses are', 2)} ;; esac`,
    ...(verdict.isSilence ? [] : [`case $response in *~000 | *~429) ${conclude('It cannot be judged', 2)} ;; esac`]),
    `case $response in ${patterns}) ${end(verdict.matchesWrong)} ;; esac`,
    end(!verdict.matchesWrong),
  ].join('\n')
}

/** The request that reads the list first, as arguments of curl; null if there is no list. */
function listRequestOf({ list, base }: ScriptPlan, { listPath, keyVariable }: ReproductionOptions): string | null {
  if (listPath === null) return null
  return list ? curlArguments(list, keyVariable, base) : `-H "X-API-Key: $${keyVariable}" "$url"'${listPath}'`
}

function conclude(what: string, code: number): string {
  return `printf '%s\\n' "${what}: $response"; exit ${code}`
}

function requireList({ start, between }: ScriptPlan, listRequest: string): readonly string[] {
  const needed = [start, between].filter((list) => list !== null)
  const pattern = start === null ? `*' = 200'` : [...new Set(needed)].map(quote).join(' | ')
  const shown = start === null ? ' a list that can be read' : start.replace(/ = 200$/, '') || ' empty'
  const other = `printf '%s\\n' "not in the state that this needs: the list is$list, not"${quote(shown)}; exit 2`
  return [
    `list=$(curl -s -m 10 -w '%{http_code}' ${listRequest} | ${listFilter})`,
    `case $list in ${pattern}) ;; *) ${other} ;; esac`,
  ]
}

/** Collects the steps before the last one, and a pattern for the responses that lead to the deciding steps. */
function steps(plan: ScriptPlan, listRequest: string | null, keyVariable: string): readonly string[] {
  const { base, list, start, first, deciding, checked, verdict } = plan
  const add = (one: Exchange, isNeeded: boolean, output = ' -o /dev/null') => {
    // With `-f` nothing more is sent if a change was not made.
    const failsEarly = isNeeded && one.response !== null && one.response.status < 300 ? ' -f' : ''
    return `set -- "$@" $step${output}${failsEarly} ${curlArguments(one, keyVariable, base)} --next`
  }
  const arrangement = [...first.map((one) => add(one, true)), `first=$first'${first.map(statusPattern).join('')}'`]
  return [
    `step='-s -m 10 -w ~%{http_code},'`,
    // Some servers treat a connection according to its first request.
    ...(listRequest === null || list !== undefined
      ? [`set --; first=''`]
      : [`set -- $step -o /dev/null ${listRequest} --next; first='~200,'`]),
    ...(first.length === 0 ? [] : [`if [ "$list" = ${quote(start ?? '')} ]; then`, ...arrangement, 'fi']),
    ...deciding.map((one, at) => {
      const isCompared = (verdict.bodyOf?.(one) ?? null) !== null
      return add(one, at < checked, isCompared ? '' : ' -o /dev/null')
    }),
  ]
}

function statusPattern(exchange: Exchange): string {
  return `~${statusOf(exchange).slice(0, 1)}??,`
}

function statusOf({ response }: Exchange): string {
  return response === null ? '000' : `${response.status}`
}

/** The steps of a failure that requests alone do not show, after advice on what to do instead. */
export function explainingScript(reason: string, done: readonly FailureStep[], options: ReproductionOptions): string {
  const line = (step: FailureStep) => {
    if (typeof step === 'string') return `# ${step}`
    return toCurl(step, options.keyVariable) ?? `# raw bytes: ${step.request.body?.split(/[\r\n]/, 1)[0] ?? ''}`
  }
  return [
    '#!/bin/sh',
    `echo 'Requests alone do not show this: ${reason}. Run the same command with ${options.rerun}'; exit 2`,
    '# The steps:',
    ...done.map(line),
  ].join('\n')
}
