import type { HttpResponse } from './response.ts'

/** The stages of the request pipeline, in order. */
export type StageName = 'receive' | 'authenticate' | 'route' | 'read body' | 'validate' | 'apply' | 'save' | 'render'

/** Follows one request. */
export interface Track {
  onStage(name: StageName): void
  onOperation(name: string): void
  onFault(id: string): void
  /** A response was written directly to the socket. */
  onSent(response: HttpResponse): void
  /** The request gets this response, or none. */
  onEnd(response: HttpResponse | undefined): void | Promise<void>
}

const ignore = () => undefined

export const untracked: Track = {
  onStage: ignore,
  onOperation: ignore,
  onFault: ignore,
  onSent: ignore,
  onEnd: ignore,
}
