import { failureOf } from '../../../suites/assertions/failure.ts'
import { createClient } from '../../../suites/client/client.ts'
import { unpaced } from '../../../suites/client/wait.ts'
import { findList } from '../../../suites/session/account-list.ts'
import { createPlatform } from '../../../suites/session/platform.ts'
import { expectAccount } from '../../../suites/session/platform-expect.ts'
import { createTimes } from '../../../suites/session/signing.ts'
import type { PlatformChoice } from '../../options/platform-options.ts'
import { isKeyRejected, platformKeyRemedy } from '../../transport/explain.ts'
import type { ExaminationOptions } from '../api.ts'
import { examineAll, examineClock, ok, once, problem, skipped, tryWithoutKey, warning } from '../examination.ts'

type RunningPlatform = Extract<PlatformChoice, { kind: 'url' }>

/** What an examination can read from a platform. It cannot change the platform. */
type PlatformDoctorContext = ReturnType<typeof createPlatformDoctorContext>

function createPlatformDoctorContext(chosen: RunningPlatform, { options, shared }: ExaminationOptions) {
  const { url, transport, listPaths, secret } = chosen
  const client = createClient({ ...shared, baseUrl: url, transport, timeoutMs: options.timeoutMs })
  const prefix = new URL(url).pathname.replace(/\/$/, '')
  const platform = createPlatform(client, { ...chosen, prefix, times: createTimes(), pace: unpaced })
  // GET /v1/account is sent once and cached.
  return { platform, hasSecret: secret !== null, listPaths, account: once(() => platform.account()) }
}

export async function examinePlatform(chosen: RunningPlatform, terms: ExaminationOptions) {
  const context = createPlatformDoctorContext(chosen, terms)
  const found = await examineAll(context, terms.shared.redact, [
    { name: 'platform', needs: [], forbids: 'everything', examine: examineAnswer },
    { name: 'platform key', needs: ['platform'], forbids: 'everything', examine: examineKey },
    { name: 'platform wrong key', needs: ['platform key'], forbids: 'nothing', examine: examineWrongKey },
    { name: 'platform signature', needs: ['platform key'], forbids: 'nothing', examine: examineSignature },
    { name: 'platform list', needs: ['platform key'], forbids: 'nothing', examine: examineList },
    { name: 'platform clock', needs: ['platform'], forbids: 'nothing', examine: examineSigningClock },
  ])
  const ready = 'Ready. With `--risk write` and `--group <slug>` a run creates demo accounts.'
  const conclusions = { none: 'Not ready: the platform cannot be judged.', read: ready, any: ready }
  return { url: chosen.url, ...found, conclusions }
}

async function examineAnswer({ account }: PlatformDoctorContext) {
  const answer = await account()
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

async function examineKey({ account, hasSecret }: PlatformDoctorContext) {
  const { status } = await account()
  if (!isKeyRejected(status)) return ok('the key is accepted')
  return problem(`the key is rejected with ${status}`, platformKeyRemedy(hasSecret))
}

async function examineWrongKey({ platform }: PlatformDoctorContext) {
  const { wrong, accepted } = await tryWithoutKey((key) => platform.account({ key }))
  if (accepted === '') return ok(`a wrong key and a missing key are rejected with ${wrong}`)
  return problem(
    `${accepted} is accepted: every client can read the account`,
    'Report this to the operator of the platform.',
  )
}

async function examineSignature({ platform, hasSecret }: PlatformDoctorContext) {
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

async function examineList({ platform, listPaths }: PlatformDoctorContext) {
  const path = await findList(platform, listPaths)
  if (path !== null) return ok(`accounts are listed at ${path}`)
  return warning(
    `no list of accounts at ${listPaths.join(', ')}`,
    'Give the path with `--list-path`. Without it created accounts cannot be checked.',
  )
}

async function examineSigningClock({ account, hasSecret }: PlatformDoctorContext) {
  const found = await examineClock(account)
  if (found.state !== 'warning' || !hasSecret) return found
  return { ...found, remedy: 'Correct the wrong clock: a signature is valid for only a few minutes.' }
}
