import type { Outcome } from '../../suites/runner/outcome.ts'

/** How many requests of a check may change something. */
export function writesOf({ exchanges, exchangesOmitted }: Outcome): number {
  return (
    exchanges.filter(({ request }) => !['GET', 'HEAD', 'OPTIONS'].includes(request.method)).length + exchangesOmitted
  )
}
