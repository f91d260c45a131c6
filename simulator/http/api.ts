import type { Api } from '../server/api.ts'
import { untracked } from '../server/track.ts'
import { answer } from './pipeline.ts'
import type { Service } from './service.ts'

/** The plugin API, as its seams decide. */
export function pluginApi(service: Service): Api {
  const { seams, key, log } = service
  return {
    answer: (request, track = untracked) => answer(request, service, track),
    refused: ({ status, message, headers }) => ({
      status,
      body: seams.encodeJson(seams.errorBody(message, status)),
      headers: { ...seams.bodyHeaders(), ...headers },
    }),
    unexpected: seams.unexpected,
    finish: seams.finish,
    unparsable: seams.unparsable,
    lowerCaseMethod: seams.lowerCaseMethod,
    unknownMethod: seams.unknownMethod,
    acceptsConnections: key !== '' || seams.acceptsWhenDisabled,
    log,
  }
}
