import { randomBytes } from 'node:crypto'
import { FailedExpectation } from '../../../suites/assertions/failure.ts'
import { findList } from '../../../suites/session/account-list.ts'
import { expectAccount } from '../../../suites/session/platform-expect.ts'
import { examineClock } from '../clock.ts'
import type { Examination, Finding } from '../examination.ts'
import { isKeyRejected } from '../rejected-key.ts'
import type { PlatformLook } from './context.ts'

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
  if (isKeyRejected(answer.status)) return { state: 'ok', finding: `answers with ${answer.status}` }
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
  if (!isKeyRejected(status)) return { state: 'ok', finding: 'the key is accepted' }
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
  if (!isKeyRejected(wrong.status)) {
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
  const found = await examineClock(account)
  if (found.state !== 'warning' || !hasSecret) return found
  return { ...found, remedy: 'Set the clock that is wrong: a signature is accepted for some minutes only.' }
}
