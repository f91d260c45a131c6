import { withMembers } from '../../defect-parts/wire.ts'
import { CodedErrorResponse } from '../coded-error-response.ts'
import type { PlatformHooks } from '../hooks/hooks.ts'
import type { PlatformDefect } from './defect.ts'
import { withoutBody, withoutList } from './masks.ts'

/** Keeps the secrets themselves, and shows the last one. */
function remembering({ hashSecret }: PlatformHooks) {
  let secret = ''
  return {
    hashSecret: (apiSecret: string) => {
      secret = apiSecret
      return hashSecret(apiSecret)
    },
    shown: () => ({ api_secret: secret }),
  }
}

/** Clause 5: the API Secret is displayed only once. */
export const secretDefects: readonly PlatformDefect[] = [
  {
    id: 'platform.secret.in-the-account',
    breaks: ['platform.secret.not-shown'],
    summary: 'The account contains the secret.',
    override: (hooks) => {
      const { hashSecret, shown } = remembering(hooks)
      return { hashSecret, accountBody: (account) => withMembers(hooks.accountBody(account), shown()) }
    },
  },
  {
    id: 'platform.secret.in-the-creation',
    breaks: ['platform.secret.not-shown'],
    maskedBy: withoutBody,
    summary: 'The response to a creation contains the secret of its key.',
    override: (hooks) => {
      const { hashSecret, shown } = remembering(hooks)
      return {
        hashSecret,
        createdBody: (account) => {
          const body = hooks.createdBody(account)
          return body === undefined ? body : withMembers(body, shown())
        },
      }
    },
  },
  {
    id: 'platform.secret.in-the-list',
    breaks: ['platform.secret.not-shown'],
    maskedBy: withoutList,
    summary: 'Each account of the list contains the secret of its key.',
    override: (hooks) => {
      const { hashSecret, shown } = remembering(hooks)
      return { hashSecret, listedBody: (account) => withMembers(hooks.listedBody(account), shown()) }
    },
  },
  {
    id: 'platform.secret.wrong-key-repeated',
    breaks: ['platform.secret.not-repeated'],
    summary: 'The error for a wrong key repeats the key.',
    override: ({ wrongKey }) => ({
      wrongKey: (given) => {
        const { status, headers } = wrongKey(given)
        return new CodedErrorResponse(status, 'invalid_api_key', `The API key ${given} is wrong.`, headers)
      },
    }),
  },
]
