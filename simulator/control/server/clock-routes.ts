import type { Clock } from '../../server/clock.ts'
import { type Route, route, type ServedApis } from './route.ts'
import * as schemas from './schemas.ts'
import { shownClock } from './view.ts'

/** The endpoints of a clock; each responds with the time after the change. */
export function clockRoutes(
  path: '/clock' | '/platform/clock',
  clockOf: (served: ServedApis) => Clock,
): readonly Route[] {
  return [
    route(`GET ${path}`, schemas.nothing, (call) => shownClock(clockOf(call))),
    route(`POST ${path}/freeze`, schemas.moment, (call) => {
      const { at } = call.input
      clockOf(call).freeze(at === undefined ? undefined : new Date(at))
      return shownClock(clockOf(call))
    }),
    route(`POST ${path}/advance`, schemas.advance, (call) => {
      clockOf(call).advance(call.input.ms)
      return shownClock(clockOf(call))
    }),
    route(`POST ${path}/reset`, schemas.nothing, (call) => {
      clockOf(call).reset()
      return shownClock(clockOf(call))
    }),
  ]
}
