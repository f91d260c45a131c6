import type { PluginErrorKindId } from '../../spec/plugin/error-kinds.ts'
import type { PlatformSession } from './platform-session.ts'
import type { Session } from './session.ts'

/**
 * What a run may do to the target. `read`: only GET, HEAD and OPTIONS. `write`: also requests that a conforming server
 * rejects, and rules of the kit, which are removed again. `exclusive`: also filling the list to its capacity.
 */
export type Risk = 'read' | 'write' | 'exclusive'

/** What a target's driver can do beyond answering requests. */
export type Capability =
  /** Start a server with exclusive access: with an empty list, or with the rules of given parameters. */
  | 'launch'
  /** Stop the server and start it again; its list may hold foreign rules. */
  | 'restart'
  /** Choose the parameters `API_Key` and `Copy_N` for the next start. */
  | 'parameters'
  /** Choose the port of the server, or let it use its default. */
  | 'port'
  /** Kill the server as a crash would. */
  | 'crash'
  /** Delete the rules file while the server is stopped or runs. */
  | 'delete-rules-file'
  /** Check whether the rules file exists, and overwrite it. */
  | 'rules-file'
  /** Choose the capacity of a server at start. */
  | 'capacity'
  /** The capacity of the target is given. */
  | 'stated-capacity'
  /** A platform API is judged; every check of it needs this. */
  | 'platform'
  /** The secret that signs requests to the platform is known. */
  | 'platform-secret'
  /** A group is given in which accounts may be created. */
  | 'platform-group'
  /** Any request may be sent to the platform: the kit started it, or it is a test installation. */
  | 'disposable-platform'

export const ownServerCapabilities = [
  'launch',
  'restart',
  'parameters',
  'port',
  'crash',
  'delete-rules-file',
  'rules-file',
] as const satisfies readonly Capability[]

/** What may go wrong without failing a check. */
export type Tolerance =
  /** A successful change without an effect: the check judges responses, and other checks judge the list. */
  | 'no effect'
  /** An error response: the check judges any response, or only the requests that succeed. */
  | 'rejection'
  /** A connection that ends: the check judges the responses until then. */
  | 'end of connection'

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

/** The common members of several checks. */
export type CheckHeader = Omit<CheckBase, 'id' | 'title'>

export function checks<CheckSession = Session>(
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
