/** A request that is sent once however often its response is asked for. */
export function once<T>(send: () => Promise<T>): () => Promise<T> {
  let sent: Promise<T> | null = null
  return () => {
    sent ??= send()
    return sent
  }
}
