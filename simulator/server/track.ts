import type { HttpResponse } from './response.ts'

/** The stages of the request pipeline, in order. */
export type StageName = 'receive' | 'authenticate' | 'route' | 'read body' | 'validate' | 'apply' | 'save' | 'render'

/** A report about a request in progress. */
export interface RequestProgress {
  /** The stage that starts. */
  readonly stage?: StageName
  /** The requested operation, once it is known. */
  readonly operation?: string
  /** The fault that was played on the request. */
  readonly fault?: string
  /** A response that was written directly to the socket. */
  readonly sent?: HttpResponse
}

/** Called with the progress of a request. */
export type Track = (step: RequestProgress) => void

/** Ignores the progress. */
export const untracked: Track = () => undefined
