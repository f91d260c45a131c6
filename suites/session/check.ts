import type { PluginErrorKindId } from '../../spec/plugin/error-kinds.ts'
import type { PlatformSession } from './platform-session.ts'
import type { Session } from './session.ts'

/**
 * What a run may do to the target. `read`: only GET, HEAD and OPTIONS. `write`: also requests that a conforming server
 * rejects, and rules of the kit, which are removed again. `exclusive`: also filling the list to its capacity.
 */
export type Risk = (typeof risks)[number]

/** Each allows what those before it allow. */
export const risks = ['read', 'write', 'exclusive'] as const

/** The reason why a check that needs a driver of the kit's own servers is not run. */
const ownServerReasons = {
  /** With exclusive access: with an empty list, or with the rules of given parameters. */
  launch: 'the kit cannot start this server with parameters of its own: use --exec or --container',
  /** Its list may hold foreign rules. */
  restart: 'the kit cannot restart this server: use --exec or --container',
  parameters: 'the kit cannot set the parameters of this server: use --exec or --container',
  port: 'the kit cannot choose the port of this server: use --exec or --container',
  crash: 'the kit cannot kill this server: use --exec or --container',
  'delete-rules-file': 'the kit cannot delete the rules file of this server: use --exec or --container',
  'rules-file': 'the kit cannot see the rules file of this server: use --exec or --container',
} as const

export const ownServerCapabilities = Object.keys(ownServerReasons) as readonly (keyof typeof ownServerReasons)[]

/** What a target's driver can do beyond answering requests, each with the reason why a check that needs it is not run. */
export const capabilityReasons = {
  ...ownServerReasons,
  capacity: 'the kit cannot choose the capacity of this server',
  'stated-capacity': 'the capacity of this server is not known: state it with --capacity',
  platform: 'no platform is judged: give --platform-url',
  'platform-secret': 'the secret of the platform is not known: set TCK_PLATFORM_SECRET or give --platform-secret-file',
  'platform-group': 'no group was given in which demo accounts may be created: give --group',
  'disposable-platform':
    'it might create, change or disclose anything on the platform: allow it with --disposable-platform',
} as const

export type Capability = keyof typeof capabilityReasons

/** What may go wrong, since other checks judge it: a change without an effect, an error response, or no response. */
export type Tolerance = 'no effect' | 'rejection' | 'end of connection'

interface CheckBase {
  /** Permanent and opaque, e.g. `CT-301`: it never changes. */
  readonly id: string
  readonly title: string
  readonly risk: Risk
  readonly needs?: readonly Capability[]
  /** The maximum number of writes for this `thorough`, if more than in an ordinary run that succeeds. */
  readonly mostWrites?: (thorough: number) => number
  /** It judges findings of the whole run, so it is run last. */
  readonly concludes?: true
  /** It fails if the target stopped responding during the run. */
  readonly reportsSilence?: true
  /** It depends on timing or needs the default port, so no other check runs at the same time. */
  readonly alone?: true
  /** What may happen to one of its requests without failing it (law 5). Default: nothing. */
  readonly tolerates?: readonly Tolerance[]
  /** Checks with the same name here judge the same responses. On a running server only the first of them sends requests. */
  readonly shares?: string
  /** It fills the list. The next such check finds the list already full. */
  readonly fills?: true
  /** It loads rules from `Copy_N`, so the syntax must be known. */
  readonly copies?: true
  /** The number of its requests that may create an account besides the shared one, which alone is `sample`. */
  readonly creates?: number | 'sample'
}

/** Judges one requirement: throws `FailedExpectation` if the target breaks it. */
export interface Check<CheckSession = Session> extends CheckBase {
  readonly requirement: string
  run(session: CheckSession): Promise<void>
}

export type CheckHeader = Omit<CheckBase, 'id' | 'title'>

/** Makes the checks of one requirement from functions by id and title. */
export function checks<CheckSession>(
  header: CheckHeader,
  requirement: string,
  runs: Readonly<Record<`C${'T' | 'P'}-${number} ${string}`, Check<CheckSession>['run']>>,
): readonly Check<CheckSession>[] {
  return Object.entries(runs).map(([name, run]) => ({ ...header, requirement, ...idAndTitle(name), run }))
}

/** The id of a check or an observation, and its title: the rest of its name in a table. */
export function idAndTitle(name: string) {
  const [id = '', ...title] = name.split(' ')
  return { id, title: title.join(' ') }
}

/** Observes the answer to one question; returns its id, or `null` with a reason. */
export interface Observation<CheckSession = Session> extends CheckBase {
  readonly question: string
  run(session: CheckSession): Promise<ObservedAnswer>
}

/** Learns the parts of a profile other than answers. It judges nothing. Its answer is a text of the target. */
export interface ErrorTextProbe<CheckSession = Session> extends CheckBase {
  /** The error whose text it learns, or `capacity`. */
  readonly about: PluginErrorKindId | 'capacity'
  run(session: CheckSession): Promise<ObservedAnswer>
}

export type PlatformCheck = Check<PlatformSession>
export type PlatformObservation = Observation<PlatformSession>

/** Any case of a run, by default for any API. */
export type Case<CheckSession = never> = Check<CheckSession> | Observation<CheckSession> | ErrorTextProbe<CheckSession>

/** Whether this case runs on servers that only it uses, if the kit can start some. */
export const startsServers = ({ needs = [], fills, concludes }: Case) =>
  !fills && !concludes && (needs.includes('launch') || needs.includes('restart'))

/** `answer` is an answer id of the question, or the result of an error-text probe; null if none fits. */
export interface ObservedAnswer {
  readonly answer: string | null
  /** The observation as text, if the answer does not show it. */
  readonly seen: string
}
