import type { HttpResponse } from './response.ts'

/** The stages of a request, in their order. */
export type StageName = 'receive' | 'authenticate' | 'route' | 'read body' | 'validate' | 'apply' | 'save' | 'render'

/** What is told of a request on its way. */
export interface RequestProgress {
  /** The stage that begins. */
  readonly stage?: StageName
  /** What the request asks for, once that is known. */
  readonly operation?: string
  /** The fault that was played on the request. */
  readonly fault?: string
  /** An answer that went past the server, onto the bare connection. */
  readonly sent?: HttpResponse
}

/** Is told how far a request has come. */
export type Track = (step: RequestProgress) => void

/** For those who do not want to know. */
export const untracked: Track = () => undefined
