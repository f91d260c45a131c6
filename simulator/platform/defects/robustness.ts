import { isLosslessNumber } from 'lossless-json'
import { correctsBody } from '../../defect-parts/json-body.ts'
import { supply } from '../../defect-parts/resource-pool.ts'
import { withMembers } from '../../defect-parts/wire.ts'
import type { Members } from '../../server/body.ts'
import { Dropped } from '../../server/error-response.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import type { PlatformDefect } from './defect.ts'
import { withoutList, withStrictMembers } from './masks.ts'

/** A server that crashes when `die` is called: from then on no request gets a response. */
function dying(change: (hooks: PlatformHooks, die: () => void) => Partial<PlatformHooks>): PlatformOverride {
  return (hooks) => {
    const life = supply(1)
    const changed = change(hooks, life.lose)
    const asksForKey = changed.asksForKey ?? hooks.asksForKey
    return { ...changed, asksForKey: (received) => life.need(asksForKey(received)) }
  }
}

/** A server that crashes when the HTTP parser rejects a request for this reason. */
function dyingOfUnparsable(reason: Parameters<PlatformHooks['unparsable']>[0]): PlatformOverride {
  return dying(({ unparsable }, die) => ({
    unparsable: (problem) => {
      if (problem === reason) die()
      return unparsable(problem)
    },
  }))
}

const tooBig = '__TOO_BIG__'

/** The account of a server that fills in default values. */
const defaultAccount = '{"name":"Unnamed","group":"demo","leverage":100,"currency":"USD","balance":1000}'

/** What any server should withstand. */
export const robustnessDefects: readonly PlatformDefect[] = [
  {
    id: 'platform.robust.dies-of-invalid-json',
    breaks: ['platform.robust.survives'],
    summary: 'Invalid JSON crashes the server.',
    override: dying(({ parseJson }, die) => ({
      parseJson: (text) => {
        try {
          return parseJson(text)
        } catch (error) {
          die()
          throw error
        }
      },
    })),
  },
  {
    id: 'platform.robust.parser-keeps-its-rest',
    breaks: ['platform.robust.survives'],
    summary: 'The rest of an invalid body is prepended to the next body.',
    override: ({ parseJson }) => {
      let rest = ''
      return {
        parseJson: (text) => {
          const whole = rest + text
          rest = ''
          try {
            return parseJson(whole)
          } catch (error) {
            rest = text.slice(0, 1)
            throw error
          }
        },
      }
    },
  },
  {
    id: 'platform.robust.dies-of-deep-json',
    breaks: ['platform.robust.survives'],
    summary: 'Deeply nested JSON overflows the stack and crashes the server.',
    override: dying(({ parseJson }, die) => ({
      parseJson: (text) => {
        if (/[[{]{1000}|(?:\{"[^"]*":){1000}/.test(text.replace(/\s/g, ''))) {
          die()
          throw new Dropped('The stack has overflowed.')
        }
        return parseJson(text)
      },
    })),
  },
  {
    id: 'platform.robust.fields-from-the-prototype',
    breaks: ['platform.robust.prototype-member'],
    maskedBy: withStrictMembers,
    summary: 'Missing fields are read from the member __proto__.',
    override: ({ fieldOf }) => ({
      fieldOf: (members, field) => {
        const prototype = Object.getOwnPropertyDescriptor(members, '__proto__')?.value as Members | undefined
        return fieldOf(members, field) ?? (Object(prototype) === prototype ? prototype?.[field] : undefined)
      },
    }),
  },
  {
    id: 'platform.robust.prototype-polluted',
    breaks: ['platform.robust.prototype-member'],
    maskedBy: withStrictMembers,
    summary: 'The members of __proto__ become members of every later body.',
    override: ({ fieldOf }) => {
      const polluted = new Map<string, unknown>()
      return {
        fieldOf: (members, field) => {
          const prototype: unknown = Object.getOwnPropertyDescriptor(members, '__proto__')?.value
          const value = polluted.get(field) ?? fieldOf(members, field)
          for (const [name, of] of Object.entries(Object(prototype))) polluted.set(name, of)
          return value
        },
      }
    },
  },
  {
    id: 'platform.robust.infinite-balance',
    breaks: ['platform.robust.overflowing-number'],
    maskedBy: withoutList,
    summary: 'A balance beyond the range of a double is stored and listed as Infinity.',
    override: ({ readBalance, listedBody, encodeJson }) => ({
      readBalance: (value) =>
        isLosslessNumber(value) && Number(value.value) === Number.POSITIVE_INFINITY
          ? Number.POSITIVE_INFINITY
          : readBalance(value),
      listedBody: (account) =>
        listedBody(Number.isFinite(account.balance) ? account : { ...account, name: `${account.name}${tooBig}` }),
      encodeJson: (value) => {
        const text = Buffer.from(encodeJson(value)).toString()
        return Buffer.from(text.includes(tooBig) ? text.replaceAll(tooBig, '').replaceAll('null', 'Infinity') : text)
      },
    }),
  },
  {
    id: 'platform.robust.overflow-listed-as-null',
    breaks: ['platform.robust.overflowing-number'],
    maskedBy: withoutList,
    summary: 'A balance beyond the range of a double is stored as Infinity and listed as null.',
    override: ({ readBalance, listedBody }) => ({
      readBalance: (value) =>
        isLosslessNumber(value) && Number(value.value) === Number.POSITIVE_INFINITY
          ? Number.POSITIVE_INFINITY
          : readBalance(value),
      listedBody: (account) =>
        Number.isFinite(account.balance) ? listedBody(account) : withMembers(listedBody(account), { balance: null }),
    }),
  },
  {
    id: 'platform.robust.decoder-gets-stuck',
    breaks: ['platform.robust.survives'],
    summary: 'After a body that is not UTF-8 no body can be decoded.',
    override: ({ decodeText }) => {
      let stuck = false
      return {
        decodeText: (bytes) => {
          stuck ||= Buffer.from(bytes).toString('utf8').includes('\uFFFD')
          return decodeText(stuck ? new Uint8Array([0xff]) : bytes)
        },
      }
    },
  },
  {
    id: 'platform.robust.dies-of-large-body',
    breaks: ['platform.robust.survives'],
    summary: 'A body of several MiB uses the memory that later requests need.',
    override: dying(({ asksForKey, oversized }, die) => ({
      asksForKey: (received) => {
        if (Number(received.headers['content-length']) > 3_000_000) die()
        return asksForKey(received)
      },
      oversized: () => {
        die()
        return oversized()
      },
    })),
  },
  {
    id: 'platform.robust.end-of-large-body-replaced',
    breaks: ['platform.robust.survives'],
    summary: 'Members at the end of a large body are replaced by default values.',
    override: (hooks) => ({
      bodyLimitBytes: Number.POSITIVE_INFINITY,
      ...correctsBody((text) => (text.length > 3_000_000 ? defaultAccount : text))(hooks),
    }),
  },
  {
    id: 'platform.robust.dies-of-broken-off-body',
    breaks: ['platform.robust.survives'],
    summary: 'A connection that closes within a body crashes the server.',
    override: dying(({ brokenOff }, die) => ({
      brokenOff: (bytes) => {
        die()
        return brokenOff(bytes)
      },
    })),
  },
  {
    id: 'platform.robust.broken-off-body-mended',
    breaks: ['platform.robust.survives'],
    maskedBy: [...withoutList, { answers: { 'platform.signing.check': 'required' } }],
    summary: 'A truncated body creates an account with default values.',
    override: () => ({ brokenOff: () => Buffer.from(defaultAccount) }),
  },
  {
    id: 'platform.robust.dies-of-long-header',
    breaks: ['platform.robust.survives'],
    summary: 'Header fields that are too large crash the server.',
    override: dyingOfUnparsable('headers-too-large'),
  },
  {
    id: 'platform.robust.dies-of-long-path',
    breaks: ['platform.robust.survives'],
    summary: 'A path of thousands of characters crashes the server.',
    override: dying(({ splitTarget }, die) => ({
      splitTarget: (target) => {
        if (target.length > 4000) die()
        return splitTarget(target)
      },
    })),
  },
  {
    id: 'platform.robust.long-path-cut',
    breaks: ['platform.robust.survives'],
    summary: 'Only the first eleven characters of a long path are compared.',
    override: ({ splitTarget }) => ({
      splitTarget: (target) => splitTarget(target.length > 4000 ? target.slice(0, 11) : target),
    }),
  },
  {
    id: 'platform.robust.dies-of-no-http',
    breaks: ['platform.robust.survives'],
    summary: 'Bytes that are not HTTP crash the server.',
    override: dyingOfUnparsable('malformed'),
  },
]
