import { randomBytes } from 'node:crypto'
import { FailedExpectation } from '../../../suites/assertions/failure.ts'
import { findList } from '../../../suites/session/account-list.ts'
import { expectAccount } from '../../../suites/session/platform-expect.ts'
import { examineClock } from '../clock.ts'
import type { Examination, Finding } from '../examination.ts'
import { isKeyRejected } from '../rejected-key.ts'
import type { PlatformLook } from './context.ts'

/** The examinations of a platform, in their order. */
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
      finding: 'responds with 429: the rate limit is reached',
      remedy: `Try again ${wait === undefined ? 'later' : `after \`Retry-After: ${wait}\``}, and use a lower \`--max-rps\`.`,
    }
  }
  if (isKeyRejected(answer.status)) return { state: 'ok', finding: `responds with ${answer.status}` }
  try {
    const { name } = expectAccount(answer)
    return { state: 'ok', finding: `responds in ${Math.ceil(answer.exchange.durationMs)} ms for ${String(name)}` }
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    return {
      state: 'problem',
      finding: `GET /v1/account has an unexpected response: ${error.message}`,
      remedy: 'Check the address before /v1: another server may respond there.',
    }
  }
}

async function examineKey({ account, hasSecret }: PlatformLook): Promise<Finding> {
  const { status } = await account()
  if (!isKeyRejected(status)) return { state: 'ok', finding: 'the key is accepted' }
  return {
    state: 'problem',
    finding: `the key is rejected with ${status}`,
    remedy: hasSecret
      ? 'Compare key and secret with the dashboard and `--signature-vendor` with the documentation, and check the clocks.'
      : 'Compare `TCK_PLATFORM_KEY` with the dashboard. If requests must be signed, set `TCK_PLATFORM_SECRET`.',
  }
}

async function examineWrongKey({ platform }: PlatformLook): Promise<Finding> {
  const wrong = await platform.account({ key: `wrong-${randomBytes(12).toString('hex')}` })
  const none = await platform.account({ key: null })
  const open = [...(wrong.status < 400 ? ['a wrong key'] : []), ...(none.status < 400 ? ['a missing key'] : [])]
  if (open.length === 0)
    return { state: 'ok', finding: `a wrong key and a missing key are rejected with ${wrong.status}` }
  return {
    state: 'problem',
    finding: `${open.join(' and ')} is accepted: every client can read the account`,
    remedy: 'Report this to the operator of the platform.',
  }
}

async function examineSignature({ platform, hasSecret }: PlatformLook): Promise<Finding> {
  if (!hasSecret) {
    return {
      state: 'skipped',
      finding: 'there is no secret for signatures',
      remedy: 'Set `TCK_PLATFORM_SECRET` to judge signatures.',
    }
  }
  const wrong = await platform.account({ sign: { spell: (text) => [...text].reverse().join('') } })
  if (!isKeyRejected(wrong.status)) {
    return {
      state: 'warning',
      finding: `a wrong signature returns ${wrong.status}`,
      remedy: 'The platform ignores signatures, or `--signature-vendor` is wrong.',
    }
  }
  return { state: 'ok', finding: 'the signature is accepted, and a wrong one is rejected' }
}

async function examineList({ platform, listPaths }: PlatformLook): Promise<Finding> {
  const path = await findList(platform, listPaths)
  if (path !== null) return { state: 'ok', finding: `accounts are listed at ${path}` }
  return {
    state: 'warning',
    finding: `no list of accounts at ${listPaths.join(', ')}`,
    remedy: 'Give the path with `--list-path`. Without it created accounts cannot be checked.',
  }
}

async function examineSigningClock({ account, hasSecret }: PlatformLook): Promise<Finding> {
  const found = await examineClock(account)
  if (found.state !== 'warning' || !hasSecret) return found
  return { ...found, remedy: 'Correct the wrong clock: a signature is valid for only a few minutes.' }
}
