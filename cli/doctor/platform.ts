import { randomBytes } from 'node:crypto'
import { FailedExpectation } from '../../suites/assertions/failure.ts'
import { createClient } from '../../suites/client/client.ts'
import { createPace } from '../../suites/client/pace.ts'
import { createRecorder } from '../../suites/client/recorder.ts'
import type { HttpResponse } from '../../suites/client/response.ts'
import { findList } from '../../suites/session/account-list.ts'
import { createPlatform, type Platform } from '../../suites/session/platform.ts'
import { expectAccount } from '../../suites/session/platform-expect.ts'
import { createTimes } from '../../suites/session/signing.ts'
import type { PlatformChoice } from '../options/platform-options.ts'
import { examineClock } from './clock.ts'
import type { Examination, Finding } from './examination.ts'
import { isErrorResponse } from './plugin.ts'

/** Where to look, complete. */
export type PlatformDoctorOptions = Extract<PlatformChoice, { kind: 'url' }> & { readonly timeoutMs: number }

/** What an examination of a platform may look at. Nothing here can change it. */
interface PlatformLook {
  readonly platform: Platform
  readonly hasSecret: boolean
  readonly listPaths: readonly string[]
  /** GET /v1/account, sent once however often it is asked for. */
  readonly account: () => Promise<HttpResponse>
}

/** Prepares the looks at a platform; `redact` takes the secrets out of what is kept of them. */
export function createPlatformLook(options: PlatformDoctorOptions, redact: (text: string) => string): PlatformLook {
  const { url, transport, timeoutMs, listPaths, secret } = options
  const pace = createPace(Number.POSITIVE_INFINITY)
  const client = createClient({ baseUrl: url, transport, timeoutMs, pace, recorder: createRecorder(redact) })
  const prefix = new URL(url).pathname.replace(/\/$/, '')
  const platform = createPlatform(client, { ...options, prefix, times: createTimes() })
  let seen: Promise<HttpResponse> | null = null
  return {
    platform,
    hasSecret: secret !== null,
    listPaths,
    account() {
      seen ??= platform.account()
      return seen
    },
  }
}

/** What `doctor` looks at on a platform, in this order. */
export const platformExaminations: readonly Examination<PlatformLook>[] = [
  { name: 'platform', needs: [], forbids: 'everything', examine: examineAnswer },
  { name: 'platform key', needs: ['platform'], forbids: 'everything', examine: examineKey },
  { name: 'platform wrong key', needs: ['platform key'], forbids: 'nothing', examine: examineWrongKey },
  { name: 'platform signature', needs: ['platform key'], forbids: 'nothing', examine: examineSignature },
  { name: 'platform list', needs: ['platform key'], forbids: 'nothing', examine: examineList },
  { name: 'platform clock', needs: ['platform'], forbids: 'nothing', examine: examineSigningClock },
]

async function examineAnswer({ account }: PlatformLook): Promise<Finding> {
  const answer = await account()
  if (answer.status === 429) {
    const wait = answer.headers['retry-after']
    return {
      state: 'problem',
      finding: 'answers with 429: it takes no more requests for now',
      remedy: `Try again ${wait === undefined ? 'later' : `after the time that it names (Retry-After: ${wait})`}, and run with a lower --max-rps.`,
    }
  }
  if (isErrorResponse(answer.status)) return { state: 'ok', finding: `answers with ${answer.status}` }
  try {
    const { name } = expectAccount(answer)
    return { state: 'ok', finding: `answers in ${Math.ceil(answer.exchange.durationMs)} ms for ${String(name)}` }
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    return {
      state: 'problem',
      finding: `GET /v1/account cannot be understood: ${error.message}`,
      remedy: 'Something other than the platform may answer there: check the address before /v1.',
    }
  }
}

async function examineKey({ account, hasSecret }: PlatformLook): Promise<Finding> {
  const { status } = await account()
  if (!isErrorResponse(status)) return { state: 'ok', finding: 'the key is accepted' }
  return {
    state: 'problem',
    finding: `the key is refused with ${status}`,
    remedy: hasSecret
      ? 'Compare key and secret with the dashboard, --signature-vendor with the documentation, and the clocks.'
      : 'Compare TCK_PLATFORM_KEY with the dashboard; if requests must be signed, set TCK_PLATFORM_SECRET.',
  }
}

async function examineWrongKey({ platform }: PlatformLook): Promise<Finding> {
  const wrong = await platform.account({ key: `wrong-${randomBytes(12).toString('hex')}` })
  const none = await platform.account({ key: null })
  const open = [...(wrong.status < 400 ? ['a wrong key'] : []), ...(none.status < 400 ? ['no key'] : [])]
  if (open.length === 0) return { state: 'ok', finding: `a wrong key and no key are refused with ${wrong.status}` }
  return {
    state: 'problem',
    finding: `${open.join(' and ')} will do: anybody who knows the address can read the account`,
    remedy: 'Tell the operator of the platform.',
  }
}

async function examineSignature({ platform, hasSecret }: PlatformLook): Promise<Finding> {
  if (!hasSecret) {
    return {
      state: 'skipped',
      finding: 'there is no secret to sign with',
      remedy: 'Set TCK_PLATFORM_SECRET, and signatures are judged too.',
    }
  }
  const wrong = await platform.account({ sign: { spell: (text) => [...text].reverse().join('') } })
  if (!isErrorResponse(wrong.status)) {
    return {
      state: 'warning',
      finding: `a wrong signature is answered with ${wrong.status}`,
      remedy: 'Signatures are ignored, or --signature-vendor names another vendor.',
    }
  }
  return { state: 'ok', finding: 'the signature is accepted, and a wrong one is refused' }
}

async function examineList({ platform, listPaths }: PlatformLook): Promise<Finding> {
  const path = await findList(platform, listPaths)
  if (path !== null) return { state: 'ok', finding: `accounts are listed at ${path}` }
  return {
    state: 'warning',
    finding: `accounts are listed at none of ${listPaths.join(', ')}`,
    remedy: 'Give the path with --list-path; without it what was created cannot be looked up.',
  }
}

async function examineSigningClock({ account, hasSecret }: PlatformLook): Promise<Finding> {
  const found = await examineClock({ status: account })
  if (found.state !== 'warning' || !hasSecret) return found
  return { ...found, remedy: 'Set the clock that is wrong: a signature is accepted for some minutes only.' }
}
