import { randomUUID } from 'node:crypto'
import { writeJson } from '../../server/json.ts'
import { ErrorResponse, type Json } from '../../server/response.ts'
import type { PlatformAccount } from '../model/platform-account.ts'
import type { PlatformProfile } from '../profile/profile.ts'
import type { RateLimitUsage } from '../rate-limit.ts'

/** The content of an error body. */
export interface Fault {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** A body and its Content-Type. */
export type TypedBody = ReturnType<typeof json>

const jsonType = 'application/json; charset=utf-8'

/** The content of the responses (clause 2.1, 7). */
export function responseHooks(profile: PlatformProfile) {
  const status = profile['platform.account.status-value'] === 'active' ? 'active' : 'suspended'
  const timestamp = timestampWriter(profile)
  const rateName = rateNames[profile['platform.limits.headers']]
  const more: { readonly [member: string]: Json } =
    profile['platform.account.further-members'] === 'more' ? { object: 'account', environment: 'sandbox' } : {}
  return {
    accountBody: ({ id, name, createdAt }: PlatformAccount): Json => ({
      id,
      name,
      status,
      created_at: timestamp(createdAt),
      ...more,
    }),
    accountEnvelope: (account: Json): Json => ({ data: account }),
    accountStatus: 200,
    jsonType,
    errorBody: errorBodies[profile['platform.errors.form']],
    tooManyRequests: ({ resetMs }: RateLimitUsage): ErrorResponse =>
      new ErrorResponse(429, 'Too many requests.', { 'Retry-After': `${Math.ceil(resetMs / 1000)}` }),
    everyHeader: (usage: RateLimitUsage): Readonly<Record<string, string>> => ({
      ...(rateName !== undefined && rateHeaders(rateName, usage)),
      ...(profile['platform.headers.request-id'] === 'sent' && { 'X-Request-Id': randomUUID() }),
    }),
  }
}

function timestampWriter(profile: PlatformProfile): (moment: Date) => string {
  const digits = { seconds: '', milliseconds: '.$1', microseconds: '.$1000' }[
    profile['platform.account.created-at-precision']
  ]
  const zone = profile['platform.account.created-at-zone'] === 'z' ? 'Z' : '+00:00'
  return (moment) => moment.toISOString().replace(/\.(\d{3})Z$/, `${digits}${zone}`)
}

const rateNames = { 'absent': undefined, 'x-ratelimit': 'X-RateLimit', 'ratelimit': 'RateLimit' } as const

function rateHeaders(name: string, { limit, remaining, resetMs }: RateLimitUsage): Readonly<Record<string, string>> {
  return {
    [`${name}-Limit`]: `${limit}`,
    [`${name}-Remaining`]: `${Math.max(remaining, 0)}`,
    [`${name}-Reset`]: `${Math.ceil(resetMs / 1000)}`,
  }
}

const json = (value: Json, type = jsonType) => ({ body: writeJson(value), type })

const errorBodies: Readonly<Record<PlatformProfile['platform.errors.form'], (fault: Fault) => TypedBody>> = {
  coded: ({ code, message }) =>
    json({ error: { code, message, doc_url: `https://docs.platform.example/errors/${code}` } }),
  text: ({ message }) => json({ error: message }),
  message: ({ message }) => json({ message }),
  problem: ({ status, code, message }) =>
    json({ type: 'about:blank', title: code, status, detail: message }, 'application/problem+json'),
  'no-json': ({ message }) => ({ body: Buffer.from(`${message}\n`), type: 'text/plain; charset=utf-8' }),
}
