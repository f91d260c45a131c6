import type { Driver } from '../../targets/driver.ts'

interface DriverListener {
  readonly closeIdle: () => void
  readonly forget: () => void
  /** Notes a step between requests. */
  readonly note: (step: string) => void
}

/**
 * A driver that says when a server was started or has ended: then connections to it are of no use any
 * more, and its list may be another.
 */
export function tellingDriver(driver: Driver, { closeIdle, forget, note }: DriverListener): Driver {
  const ended = () => {
    forget()
    closeIdle()
  }
  const noted =
    <Given extends unknown[], Result>(step: string, act: (...given: Given) => Result) =>
    (...given: Given) => {
      note(step)
      return act(...given)
    }
  return {
    ...driver,
    configure: noted('Change the parameters.', driver.configure),
    deleteRulesFile: noted('Delete the rules file.', driver.deleteRulesFile),
    writeRulesFile: noted('Overwrite the rules file.', driver.writeRulesFile),
    start: noted('Start the server.', (id, wait) => driver.start(id, wait).finally(forget)),
    stop: noted('Stop the server.', (id) => driver.stop(id).finally(ended)),
    crash: noted('Kill the server.', (id) => driver.crash(id).finally(ended)),
    discard: (id) => driver.discard(id).finally(ended),
  }
}
