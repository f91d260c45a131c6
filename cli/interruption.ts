/** Aborted by the first Ctrl-C or SIGTERM. The second one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      process.stderr.write('\nStopping after the current check, then cleaning up. Press Ctrl-C again to end at once.\n')
      controller.abort()
      // By `exit`, so that servers which the kit started end with it.
      for (const again of ['SIGINT', 'SIGTERM'] as const) process.once(again, () => process.exit(130))
    })
  }
  return controller.signal
}
