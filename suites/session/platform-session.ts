import { CannotArrange, NotApplicable, OutOfScope } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import type { RawClient } from '../client/raw.ts'
import type { Recorder } from '../client/recorder.ts'
import type { HttpResponse } from '../client/response.ts'
import type { AccountDraft } from './account.ts'
import { type AccountList, findList, listIn, readAccounts } from './account-list.ts'
import type { Platform, PlatformVariation } from './platform.ts'

/** A platform as a check sees it. */
export interface PlatformSession extends Platform {
  /** Bytes of any kind. */
  readonly raw: RawClient
  /** Host and path prefix, for requests that are written by hand. */
  readonly address: { readonly host: string; readonly prefix: string }
  /** The right key. */
  readonly key: string
  /** Null where it is not known. */
  readonly secret: string | null
  /** The group of the kit's accounts. */
  readonly group: string
  /** Whether the kit itself started it. */
  readonly owned: boolean
  /** Whether any request may be sent, as nobody is harmed by what it creates or changes. */
  readonly mayTryAnything: boolean
  /** Key and signature of a request that is written by hand; `body` is what is signed, null for no signature. */
  headersOf(request: {
    readonly method: string
    readonly path: string
    readonly body: string | null
  }): readonly string[]
  /** An account of the kit's own that does not exist yet. */
  draft(changes?: Partial<AccountDraft>): AccountDraft
  /** The path of the list; null where none was found. */
  listPath(): Promise<string | null>
  /** The list as it is now; throws `NotApplicable` where none was found. */
  list(): Promise<AccountList>
  /** The answer to a request for the list that differs from the ordinary one. */
  listWith(variation: PlatformVariation): Promise<HttpResponse>
  /** The answer to an ordinary request for the account, asked once: it shows that nothing but the odd point is odd. */
  ordinary(): Promise<HttpResponse>
  /** The answer to one with a signature that nobody can have made, asked once. */
  wronglySigned(): Promise<HttpResponse>
  /** The one account that many checks look at; it is created for the first of them. */
  sample(): Promise<Sample>
  /** The sample, which was answered with success; throws `CannotArrange` otherwise. */
  created(): Promise<Sample>
}

/** An account that was created, and what surrounds it. */
export interface Sample {
  readonly draft: AccountDraft
  readonly accountBefore: HttpResponse
  readonly response: HttpResponse
  readonly accountAfter: HttpResponse
  /** Null where no list was found, or only a part of one. */
  readonly listBefore: AccountList | null
  readonly listAfter: AccountList | null
}

export interface PlatformSessionOptions
  extends Pick<
    PlatformSession,
    'raw' | 'address' | 'key' | 'secret' | 'group' | 'owned' | 'mayTryAnything' | 'headersOf' | 'draft'
  > {
  readonly platform: Platform
  readonly recorder: Recorder
  /** Where to look for the list. */
  readonly listPaths: readonly string[]
}

/** What all checks of one run share about a platform. */
export function createPlatformSession(options: PlatformSessionOptions): PlatformSession {
  const { platform, recorder, listPaths, ...rest } = options
  const remember = <T>(look: () => Promise<T>): (() => Promise<T>) => recalled(recorder, look)

  const listPath = remember(() => findList(platform, listPaths))
  const knownPath = async () => {
    const path = await listPath()
    if (path === null) throw new NotApplicable('no list of trading accounts was found: give its path with --list-path')
    return path
  }
  const list = async () => {
    const response = await readAccounts(platform, await knownPath())
    const found = listIn(response)
    if (found === null) throw new CannotArrange(`the list was answered with ${response.status} and holds no array`)
    return found
  }
  const listIfAny = async () => ((await listPath()) === null ? null : list().catch(nullIfPart))
  const createSample = async () => {
    const draft = rest.draft()
    const accountBefore = await platform.account()
    const listBefore = await listIfAny()
    const response = await platform.create(draft)
    const listAfter = await listIfAny()
    return { draft, accountBefore, response, accountAfter: await platform.account(), listBefore, listAfter }
  }
  const sample = onlyOnce(remember(createSample))

  return {
    ...platform,
    ...rest,
    listPath,
    list,
    ordinary: remember(() => platform.account()),
    wronglySigned: remember(() => platform.account({ sign: { spell: (text) => [...text].reverse().join('') } })),
    listWith: async (variation) => readAccounts(platform, await knownPath(), variation),
    sample,
    async created() {
      const one = await sample()
      if (one.response.status >= 200 && one.response.status < 300) return one
      throw new CannotArrange(`an ordinary account was answered with ${one.response.status} ${one.response.text}`)
    },
  }
}

/** A list that cannot be read as a whole says nothing, and is in nobody's way. */
function nullIfPart(error: unknown): null {
  if (error instanceof OutOfScope) return null
  throw error
}

/**
 * Looks once and remembers what was seen, with its exchanges: each check that rests on it shows
 * them. A look that failed is tried again.
 */
function recalled<T>(recorder: Recorder, look: () => Promise<T>): () => Promise<T> {
  let seen: { readonly value: T; readonly exchanges: readonly Exchange[] } | null = null
  return async () => {
    if (seen !== null) {
      recorder.recall(seen.exchanges)
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

/** Acts once: an account whose creation was not answered may exist, and must not be created again. */
function onlyOnce<T>(act: () => Promise<T>): () => Promise<T> {
  let failure: string | null = null
  return async () => {
    if (failure !== null) throw new CannotArrange(`the account that checks share is not known: ${failure}`)
    try {
      return await act()
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error)
      throw error
    }
  }
}
