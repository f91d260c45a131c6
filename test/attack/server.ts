import { type Child, createChild } from '../../fixtures/servers/child.ts'
import type { Scenario } from './scenario.ts'

/** A server with foreign rules that all differ, not yet started. */
export function serverOf({
  server,
  faults,
  capacity,
  foreign,
}: Pick<Scenario, 'server' | 'faults' | 'capacity' | 'foreign'>): Child {
  const parameters = Object.fromEntries(
    Array.from({ length: foreign }, (_, at) => [
      `Copy_${at + 1}`,
      `${3001 + at}>${50_001 + at},fixed,${1 + at / 4},same`,
    ]),
  )
  const environment = {
    CAPACITY: String(capacity),
    FAULTS: faults.join(','),
    INSERT_AT: server === 'end' ? 'end' : 'start',
  }
  const programs = { end: 'plain', start: 'plain', bare: 'bare', threaded: 'threaded' } as const
  const program = faults.length > 0 ? 'faulty' : programs[server]
  return createChild({ server: program, parameters, environment })
}
