import type { Exchange } from '../client/exchange.ts'
import { type Case, isAboutPlatform } from '../session/check.ts'
import { arranged } from '../session/rules.ts'
import type { LaunchedServer } from '../session/servers.ts'
import type { Finding } from './finding.ts'
import type { PlatformContext } from './platform/context.ts'
import type { Context, Stopped } from './plugin/context.ts'
import { whyFull } from './plugin/full-list.ts'
import { answersAgain, settle } from './plugin/settle.ts'

/** A finding, and whether it may have come to nothing: a failure, or a question without an answer. */
export type Found = Finding & { readonly isOpen: boolean }

/** One API under judgement: what the engine does around a check depends on which one it is about. */
export interface Subject {
  /** Where it is written down why nothing more is asked of it. */
  readonly state: { stopped: Stopped | null }
  /** The environment variable that stands for the key in front of people. */
  readonly keyVariable: string
  /** Whether the kit itself started it. */
  readonly owned: boolean
  /** Why no check may change anything any more; null if it may. */
  closed(): string | null
  /** Before a check that may change something. */
  prepare(): Promise<void>
  /** Whether it answers a plain request. */
  answersAgain(): Promise<boolean>
  /** Whether its death is its own fault, as the kit started it; `settle` does what follows. */
  revive(): boolean
  /** What to say in place of what was found in these exchanges, which is no word about the server; null if it is one. */
  excuse(
    finding: Found,
    exchanges: readonly Exchange[],
    launched: readonly LaunchedServer[],
  ): Promise<Pick<Finding, 'status' | 'message'> | null>
  /** After a check that may have changed something, or that the server did not survive. */
  settle(check: Case): Promise<void>
}

/** What a check is about. */
export function subjectOf(check: Case, context: Context): Subject {
  if (!isAboutPlatform(check)) return pluginSubject(context)
  if (context.platform === null) throw new Error(`${check.id} is about a platform, and none is judged`)
  return platformSubject(context.platform)
}

function pluginSubject(context: Context): Subject {
  return {
    state: context,
    keyVariable: 'TCK_API_KEY',
    owned: context.owned,
    closed: () => context.closed,
    async prepare() {
      context.before ??= await arranged(() => context.main.rules.read())
    },
    answersAgain: () => answersAgain(() => context.main.plugin.status()),
    revive() {
      context.dead = context.driver !== null && context.settings.target.server !== null
      return context.dead
    },
    // A check that could not add a rule because the list was full has judged nothing.
    async excuse({ isOpen }, exchanges, launched) {
      const message = isOpen ? await whyFull(context, exchanges, launched) : null
      return message === null ? null : { status: 'out-of-scope', message }
    },
    async settle({ risk }) {
      if (risk !== 'read' || context.dead) await settle(context)
    },
  }
}

const limited = 'the platform takes no more requests for now, try again with a lower --max-rps'

/**
 * Accounts stay: they cannot be removed, which is why they are counted before they are created. A
 * platform of the kit's own that dies has failed the check at hand, and is not started again.
 */
function platformSubject(platform: PlatformContext): Subject {
  const { owned } = platform.target
  let hasDied = false
  return {
    state: platform,
    keyVariable: 'TCK_PLATFORM_KEY',
    owned,
    closed: () => null,
    prepare: async () => undefined,
    answersAgain: () => answersAgain(() => platform.operations.account()),
    revive() {
      hasDied = owned
      return owned
    },
    // It may refuse what comes too fast (clause 8: rate limits are not shown), and a request that was
    // refused for that shows neither that it would be accepted nor that it would not.
    async excuse({ isOpen, status }, exchanges) {
      const refused = exchanges.find(({ response }) => response?.status === 429)
      return owned || refused === undefined || !(isOpen || status === 'passed')
        ? null
        : { status: 'blocked', message: `${limited}: ${refused.request.method} was answered with 429` }
    },
    async settle() {
      if (hasDied) platform.stopped = { cause: 'unreachable', reason: 'the platform died' }
    },
  }
}
