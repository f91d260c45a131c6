import { visibleLine } from '../../../reports/visible.ts'
import { failureOf } from '../../../suites/assertions/failure.ts'
import { createClient } from '../../../suites/client/client.ts'
import { NoResponse, orNoResponse, orNull } from '../../../suites/client/response.ts'
import { unpaced } from '../../../suites/client/wait.ts'
import { findList } from '../../../suites/session/account-list.ts'
import type { Risk } from '../../../suites/session/check.ts'
import { createPlatform } from '../../../suites/session/platform.ts'
import { expectAccount } from '../../../suites/session/platform-expect.ts'
import { addressOf } from '../../../suites/session/raw-request.ts'
import { createTimes } from '../../../suites/session/signing.ts'
import type { PlatformTarget } from '../../../suites/targets/target.ts'
import { UnreachableError } from '../../command-error.ts'
import { isKeyRejected, platformKeyRemedy, remedyFor } from '../../transport/explain.ts'
import type { ReadOptions } from '../api.ts'
import { defineExaminations, examineClock, ok, once, problem, skipped, tryWithoutKey, warning } from '../examination.ts'

type PlatformToRead = Pick<PlatformTarget, 'url' | 'transport' | 'key' | 'secret' | 'vendor' | 'listPaths'>

/** What the examinations read from a platform. They cannot change it. */
type PlatformReads = ReturnType<typeof createReads>

export function createReads(chosen: PlatformToRead, { options, shared }: ReadOptions) {
  const { url, transport, listPaths, secret } = chosen
  const client = createClient({ ...shared, baseUrl: url, transport, timeoutMs: options.timeoutMs })
  const { prefix } = addressOf(url)
  const platform = createPlatform(client, { ...chosen, prefix, times: createTimes(), pace: unpaced })
  const { redact } = shared
  const account = once(() => platform.account())
  return { url, transport, redact, platform, hasSecret: secret !== null, listPaths, account }
}

/** What may be wrong with a platform. */
export const platformExaminations = defineExaminations<PlatformReads>(conclude, [
  { name: 'platform', forbids: 'everything', begins: true, examine: examineAnswer },
  { name: 'platform key', after: 'platform', forbids: 'everything', begins: true, examine: examineKey },
  { name: 'platform wrong key', after: 'platform key', forbids: 'nothing', examine: examineWrongKey },
  { name: 'platform signature', after: 'platform key', forbids: 'nothing', examine: examineSignature },
  { name: 'platform list', after: 'platform key', forbids: 'nothing', examine: examineList },
  { name: 'platform clock', after: 'platform', forbids: 'nothing', examine: examineSigningClock },
])

function conclude(risk: Risk | null): string {
  if (risk === null) return 'Not ready: the platform cannot be judged.'
  return 'Ready. With `--risk write` and `--group <slug>` a run creates demo accounts.'
}

async function examineAnswer({ url, transport, account }: PlatformReads) {
  const answer = await orNoResponse(account())
  if (answer instanceof NoResponse) {
    const remedy = remedyFor(answer.cause, transport, 'Check the address in `--platform-url`.')
    return problem(`${url} cannot be reached: ${answer.message}`, remedy, UnreachableError)
  }
  if (answer.status === 429) {
    const wait = answer.headers['retry-after']
    const when = wait === undefined ? 'later' : `after \`Retry-After: ${wait}\``
    return problem('responds with 429: the rate limit is reached', `Try again ${when}, and use a lower \`--max-rps\`.`)
  }
  if (isKeyRejected(answer.status)) return ok(`responds with ${answer.status}`)
  const failed = failureOf(() => expectAccount(answer))
  if (failed === null) {
    return ok(`responds in ${Math.ceil(answer.exchange.durationMs)} ms for ${String(expectAccount(answer).name)}`)
  }
  return problem(
    `GET /v1/account has an unexpected response: ${failed.message}`,
    'Check the address before /v1: another server may respond there.',
  )
}

async function examineKey({ url, account, hasSecret, redact }: PlatformReads) {
  const { status, text } = await account()
  if (!isKeyRejected(status)) return ok('the key is accepted')
  // The reason may be another one than the key, such as the address of the client.
  const reason = visibleLine(redact(text)).slice(0, 200) || 'it gives no reason'
  const remedy = platformKeyRemedy(hasSecret)
  return problem(`${url} rejects the key (status ${status}): ${reason}`, remedy, UnreachableError)
}

/** The time now, in seconds, if the platform accepts each signature of a read only once; null for any other. */
export async function timeIfSignaturesCountOnce({ platform, hasSecret }: PlatformReads): Promise<number | null> {
  if (!hasSecret) return null
  const now = Math.floor(Date.now() / 1000)
  const expects = async (secondsAgo: number, isAccepted: boolean) => {
    const response = await orNull(platform.account({ sign: { atSeconds: now - secondsAgo } }))
    return response !== null && isKeyRejected(response.status) !== isAccepted
  }
  // A new signature, the same one again, and another new one.
  return (await expects(10, true)) && (await expects(10, false)) && (await expects(11, true)) ? now : null
}

async function examineWrongKey({ platform }: PlatformReads) {
  const { wrong, accepted } = await tryWithoutKey((key) => platform.account({ key }))
  if (accepted === '') return ok(`a wrong key and a missing key are rejected with ${wrong}`)
  return problem(
    `${accepted} is accepted: every client can read the account`,
    'Report this to the operator of the platform.',
  )
}

async function examineSignature({ platform, hasSecret }: PlatformReads) {
  if (!hasSecret) {
    return skipped('there is no secret for signatures', 'Set `TCK_PLATFORM_SECRET` to judge signatures.')
  }
  const wrong = await platform.account({ sign: { spell: (text) => [...text].reverse().join('') } })
  if (!isKeyRejected(wrong.status)) {
    return warning(
      `a wrong signature returns ${wrong.status}`,
      'The platform ignores signatures, or `--signature-vendor` is wrong.',
    )
  }
  return ok('the signature is accepted, and a wrong one is rejected')
}

async function examineList({ platform, listPaths }: PlatformReads) {
  const path = await findList(platform, listPaths)
  if (path !== null) return ok(`accounts are listed at ${path}`)
  return warning(
    `no list of accounts at ${listPaths.join(', ')}`,
    'Give the path with `--list-path`. Without it created accounts cannot be checked.',
  )
}

async function examineSigningClock({ account, hasSecret }: PlatformReads) {
  const found = await examineClock(account)
  if (found.state !== 'warning' || !hasSecret) return found
  return { ...found, remedy: 'Correct the wrong clock: a signature is valid for only a few minutes.' }
}
