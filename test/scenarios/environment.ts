import type { Fault, Simulator } from '../../simulator/index.ts'

/** The response, as any client sees it. */
export interface Reply {
  readonly status: number
  /** The value of the header `Allow`; null without one. */
  readonly allow: string | null
  /** The JSON of the body. */
  readonly body: unknown
}

export interface Sent {
  /** Default: the correct one; null sends none. */
  readonly key?: string | null
  /** The text of the body. */
  readonly body?: string
}

/** A environment where a simulator runs, as a test uses it. */
export interface ScenarioEnvironment {
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Reply>
  readonly restart: (between?: { readonly deleteRulesFile: boolean }) => Promise<void>
  readonly addFault: (fault: Fault) => Promise<void>
}

/** The parameters with which every scenario starts. */
export const given = {
  parameters: {
    API_Key: 'key-of-the-scenarios',
    Copy_10: '1010>2010,mult,1,same',
    Copy_2: '1002>2002,fixed,0.01,reverse',
    Copy_1: '1001>2001,mult,1.5,same',
  },
  capacity: 5,
} as const

/** The headers of a request. */
export function headersOf({ key = given.parameters.API_Key, body }: Sent): Record<string, string> {
  return {
    ...(key === null ? {} : { 'X-API-Key': key }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  }
}

/** A environment that `fetch` reaches at this address. */
export function sendTo(url: () => string): ScenarioEnvironment['send'] {
  return async (method, path, sent = {}) => {
    const headers = { ...headersOf(sent), Connection: 'close' }
    const response = await fetch(url() + path, { method, headers, body: sent.body ?? null })
    return { status: response.status, allow: response.headers.get('allow'), body: jsonIn(await response.text()) }
  }
}

/** A simulator in this process as a environment. */
export function environmentOf({ control }: Simulator, send: ScenarioEnvironment['send']): ScenarioEnvironment {
  return { send, restart: control.restart, addFault: async (fault) => void control.faults.add(fault) }
}

export function jsonIn(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}
