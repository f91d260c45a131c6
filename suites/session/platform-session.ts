import { CannotArrange, NotApplicable, OutOfScope } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Recorder } from '../client/recorder.ts'
import { type HttpResponse, isSuccess, NoResponse } from '../client/response.ts'
import { type AccountDraft, requireCreatable } from './account.ts'
import { contentOf, findList, listIn, readAccounts } from './account-list.ts'
import type { Platform, PlatformOverrides } from './platform.ts'
import type { Session } from './session.ts'
import { nowSeconds, wrongDigits } from './signing.ts'

/** The platform, as a check uses it. */
export type PlatformSession = ReturnType<typeof createPlatformSession>

interface PlatformSessionOptions extends Pick<Session, 'raw' | 'address' | 'owned'> {
  readonly platform: Platform
  /** Whether any request is safe, even if it creates or changes something. */
  readonly mayTryAnything: boolean
  /** Whether the platform responds, or does so when it was started again after a crash. */
  answersAgain(): Promise<boolean>
  /** Whether the platform is known to accept the currency and the leverage of the kit's accounts. */
  readonly areTermsStated: boolean
  draft(changes?: Partial<AccountDraft>): AccountDraft
  readonly recorder: Recorder
  readonly listPaths: readonly string[]
  /** Called with the number of requests whose results are used again. */
  onRecall?(count: number): void
}

/** What all checks of a run share about a platform. */
export function createPlatformSession(options: PlatformSessionOptions) {
  const { platform, recorder, listPaths, answersAgain, onRecall = () => undefined, ...rest } = options
  const remember = <T>(look: () => Promise<T>): (() => Promise<T>) => recalled(recorder, look, onRecall)

  const listPath = remember(() => findList(platform, listPaths))
  const knownPath = async () => {
    const path = await listPath()
    if (path === null)
      throw new NotApplicable('no JSON array of trading accounts was found: give its path with `--list-path`')
    return path
  }
  const shown = new Map<string, number>()
  const list = async () => {
    const response = await readAccounts(platform, await knownPath())
    const found = listIn(response)
    if (found === null) throw new CannotArrange(`the list was answered with ${response.status} and holds no array`)
    for (const content of found.accounts.map(contentOf)) if (!shown.has(content)) shown.set(content, performance.now())
    return found
  }
  /** Null if no complete list can be read. */
  const listIfAny = async () => ((await listPath()) === null ? null : list().catch(nullIfUnread))
  /** Creates an account, and reads the state before and after. */
  const createSample = async () => {
    const draft = rest.draft()
    const accountBefore = await platform.account()
    const listBefore = await listIfAny()
    const response = await platform.create(draft)
    const listAfter = await listIfAny()
    return { draft, accountBefore, response, accountAfter: await platform.account(), listBefore, listAfter }
  }
  // Only a disposable platform is asked again if there was no response: an account may exist.
  const sample = rest.mayTryAnything ? remember(createSample) : onlyOnce(remember(createSample))
  const createdSample = onlyOnce(() =>
    sample().catch(async (error: unknown) => {
      // Only the check of the creation counts a missing response to it against a platform that still responds.
      throw error instanceof NoResponse && (await answersAgain()) ? notCreated(error) : error
    }),
  )

  return {
    ...platform,
    ...rest,
    /** The path of the list; null if there is none. */
    listPath,
    /** The current list; throws `NotApplicable` if there is none. */
    list,
    /** The content of each account that the list has shown, and when it did so first, by `performance.now()`. */
    shown: shown as ReadonlyMap<string, number>,
    /** After a request that may have changed any account. */
    forgetShown: () => shown.clear(),
    /** The response to a valid request for the account, sent once; the baseline for modified requests. */
    ordinary: remember(() => platform.account()),
    /** The response to a request with a wrong signature, sent once. */
    wronglySigned: remember(() => sendWronglySigned(platform)),
    /** The response to a modified request for the list. */
    listWith: async (overrides: PlatformOverrides) => readAccounts(platform, await knownPath(), overrides),
    /** The shared account, created by the first check that needs it. */
    sample,
    /** The sample; throws `CannotArrange` if it was not created. */
    async created() {
      const one = await createdSample()
      if (isSuccess(one.response)) return one
      requireCreatable(rest, one.draft, one.response)
      throw new CannotArrange(`an ordinary account was answered with ${one.response.status} ${one.response.text}`)
    },
  }
}

/** A faulty server may check only one signature for each time, or for each connection. */
async function sendWronglySigned(platform: Platform): Promise<HttpResponse> {
  const sign = { ...wrongDigits, atSeconds: nowSeconds() - 3 }
  const response = await platform.account({ sign, headers: { Connection: 'close' } })
  return isSuccess(response) ? platform.account({ sign }) : response
}

function notCreated(error: unknown): CannotArrange {
  const reason = error instanceof Error ? error.message : String(error)
  return new CannotArrange(`the shared account could not be created: ${reason}`)
}

function nullIfUnread(error: unknown): null {
  if (error instanceof OutOfScope || error instanceof CannotArrange) return null
  throw error
}

/** Caches a result with its exchanges, which are added to each check that uses it. Failed attempts are repeated. */
function recalled<T>(recorder: Recorder, look: () => Promise<T>, onRecall: (count: number) => void): () => Promise<T> {
  let seen: { readonly value: T; readonly exchanges: readonly Exchange[] } | null = null
  return async () => {
    if (seen !== null) {
      recorder.recall(seen.exchanges)
      onRecall(seen.exchanges.length)
      return seen.value
    }
    const earlier = recorder.take().exchanges
    try {
      const value = await look()
      seen = { value, exchanges: recorder.take().exchanges }
      recorder.recall(earlier)
      recorder.recall(seen.exchanges)
      return value
    } catch (error) {
      const { exchanges } = recorder.take()
      recorder.recall([...earlier, ...exchanges])
      throw error
    }
  }
}

/** Runs once: without a response the account may exist, and must not be created again. */
function onlyOnce<T>(act: () => Promise<T>): () => Promise<T> {
  let failure: CannotArrange | null = null
  return async () => {
    if (failure !== null) throw failure
    try {
      return await act()
    } catch (error) {
      failure = error instanceof CannotArrange ? error : notCreated(error)
      throw error
    }
  }
}
