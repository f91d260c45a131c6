import type { FailureStep } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { curlArguments, quote, toCurl } from './curl.ts'
import type { ReproductionOptions } from './reproduction.ts'
import type { ShellVerdict } from './shell-verdict.ts'

/** The content of a script that shows a failure. */
export interface ScriptPlan {
  readonly base: string
  /** The request that reads the list first, as arguments of curl; null if there is no list. */
  readonly listRequest: string | null
  /** Whether a step reads that list. */
  readonly isFirstRead: boolean
  /** The list at the start, as `listFilter` prints it; null for any. */
  readonly start: string | null
  /** The list before the deciding steps. */
  readonly between: string | null
  /** The requests from the start to the deciding steps. */
  readonly first: readonly Exchange[]
  /** The deciding steps; the last one has the wrong response. */
  readonly deciding: readonly [Exchange, ...Exchange[]]
  /** How many of the deciding steps must get the same responses. The statuses of the others are part of the failure. */
  readonly checked: number
  readonly verdict: ShellVerdict
}

/** Prints the rules of a list and the status, e.g. ` 1001>2001 1001>2002 = 200`. */
const listFilter = `tr -d '[:space:]' | tr ',{}' '\\n\\n\\n' | sed -n 's/^"master":/ /p; s/^"follower":/>/p; $s/^/ = /p' | tr -d '\\n'`

/** A script that reads the list, sends the requests in one go, and judges the last response. */
export function judgingScript(plan: ScriptPlan, options: ReproductionOptions): string {
  const { base, deciding, verdict, listRequest } = plan
  const { keyVariable, owned, rerun } = options
  const last = curlArguments(deciding.at(-1) as Exchange, keyVariable, base)
  const end = (isShown: boolean) => conclude(isShown ? 'The fault is shown' : 'The fault is not shown', isShown ? 1 : 0)
  const patterns = verdict.patterns.map((one) => `$steps${one}`).join(' | ')
  return [
    '#!/bin/sh',
    '# Exits with 1 where the fault is shown, with 0 where it is not, with 2 where the server is not in the state for it.',
    '# It does not restore the list. For another server, give its address as the argument.',
    ...(owned ? [`# For a server in this state add to the run: ${rerun} --keep-server`] : []),
    `url=$\{1:-${quote(base)}}`,
    `[ -n "$${keyVariable}" ] || { echo 'Set ${keyVariable} to the key of the server.'; exit 2; }`,
    ...(listRequest === null ? [] : requireList(plan, listRequest)),
    ...steps(plan, keyVariable),
    '# All on one connection, if the server allows it. White space aside, with the status at the end:',
    `response=$(curl --fail-early "$@" -s -m 10 ${verdict.options}-w '%{http_code}' ${last} | ${verdict.filter})`,
    `case $response in $steps*) ;; *) ${conclude('not in the state that this needs: the responses are', 2)} ;; esac`,
    ...(verdict.isSilence ? [] : [`case $response in *000 | *429) ${conclude('It cannot be judged', 2)} ;; esac`]),
    `case $response in ${patterns}) ${end(verdict.matchesWrong)} ;; esac`,
    end(!verdict.matchesWrong),
  ].join('\n')
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

/** Collects the steps before the last one, and the statuses that they need. */
function steps(
  { base, start, first, deciding, checked, listRequest, isFirstRead }: ScriptPlan,
  keyVariable: string,
): readonly string[] {
  const add = (exchanges: readonly Exchange[], needed: number) => {
    const commands = exchanges.map((one, at) => {
      // With `-f` nothing more is sent if a change was not made.
      const option = at < needed && isSuccess(one) ? '$step -f' : '$step'
      return `set -- "$@" ${option} ${curlArguments(one, keyVariable, base)} --next`
    })
    const statuses = exchanges.map(({ response }, at) =>
      at < needed ? `${Math.floor((response?.status ?? 0) / 100)}??,` : '???,',
    )
    return exchanges.length === 0 ? [] : [...commands, `steps=$steps'${statuses.join('')}'`]
  }
  const arrangement = add(first, first.length)
  return [
    `step='-s -m 10 -o /dev/null -w %{http_code},'`,
    // Some servers treat a connection according to its first request.
    ...(listRequest === null || isFirstRead
      ? [`set --; steps=''`]
      : [`set -- $step ${listRequest} --next; steps='200,'`]),
    ...(arrangement.length === 0 ? [] : [`if [ "$list" = ${quote(start ?? '')} ]; then`, ...arrangement, 'fi']),
    ...add(deciding.slice(0, -1), checked),
  ]
}

function isSuccess({ response }: Exchange): boolean {
  return response !== null && response.status < 300
}

/** The steps of a failure that requests alone do not show, after advice on what to do instead. */
export function explainingScript(
  reason: string,
  done: readonly FailureStep[],
  { rerun, keyVariable }: ReproductionOptions,
): string {
  const line = (step: FailureStep) =>
    typeof step === 'string' ? `# ${step}` : (toCurl(step, keyVariable) ?? `# raw bytes: ${firstLine(step)}`)
  return [
    '#!/bin/sh',
    `echo 'Requests alone do not show this: ${reason}. Run the same command with ${rerun}'; exit 2`,
    '# The steps:',
    ...done.map(line),
  ].join('\n')
}

function firstLine({ request }: Exchange): string {
  return request.body?.split(/[\r\n]/, 1)[0] ?? ''
}
