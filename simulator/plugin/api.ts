import type { HttpApi } from '../server/api.ts'
import { untracked } from '../server/track.ts'
import { handleRequest } from './pipeline.ts'
import type { Service } from './service.ts'

/** The plugin API, built from its hooks. */
export function pluginApi(service: Service): HttpApi {
  const { hooks, key, log } = service
  return {
    respond: (request, track = untracked) => handleRequest(request, service, track),
    renderError: ({ status, message, headers }) => ({
      status,
      body: hooks.encodeJson(hooks.errorBody(message, status)),
      headers: { ...hooks.bodyHeaders(), ...headers },
    }),
    unexpected: hooks.unexpected,
    finish: hooks.finish,
    unparsable: hooks.unparsable,
    reasonPhrase: hooks.reasonPhrase,
    lowerCaseMethod: hooks.lowerCaseMethod,
    unknownMethod: hooks.unknownMethod,
    acceptsConnections: key !== '' || hooks.acceptsWhenDisabled,
    log,
  }
}
