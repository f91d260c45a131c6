import { expect } from 'vitest'
import type { creationQuestions } from '../../../spec/platform/questions/creation.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'
import { ask, bearer, create, list, post, terms } from '../testing/client.ts'

const text = JSON.stringify(terms)

const demonstrations: Demonstrations<typeof creationQuestions> = {
  'platform.create.status': {
    show: async (simulator) => (await create(simulator)).status,
    shows: { '201': 201, '200': 200, '202': 202 },
  },
  'platform.create.body': {
    show: async (simulator) => {
      const { status, json, text } = await create(simulator)
      return [status, ...(text === '' ? ['empty'] : Object.keys(json as object).slice(0, 2))]
    },
    shows: { data: [201, 'data'], bare: [201, 'id', 'name'], empty: [201, 'empty'] },
  },
  'platform.create.location': {
    show: async (simulator) => {
      const { location } = (await create(simulator)).headers
      if (location === undefined) return 'absent'
      const { json } = await ask(simulator, { path: location })
      return [json, (await ask(simulator, { path: `${location}/x` })).status]
    },
    shows: { absent: 'absent', sent: [{ data: expect.objectContaining(terms) }, 404] },
  },
  'platform.create.same-twice': {
    show: async (simulator) => {
      await create(simulator)
      return [(await create(simulator)).status, (await list(simulator)).length]
    },
    shows: { accepted: [201, 2], once: [201, 1], '409': [409, 1], '400': [400, 1], '422': [422, 1] },
  },
  'platform.create.unknown-member': {
    show: async (simulator) => (await create(simulator, { colour: 'green' })).status,
    shows: { ignored: 201, '400': 400, '422': 422 },
  },
  'platform.create.content-type-absent': {
    show: async (simulator) => (await post(simulator, text, { headers: bearer })).status,
    shows: { accepted: 201, '400': 400, '415': 415 },
  },
  'platform.create.content-type-wrong': {
    show: async (simulator) =>
      (await post(simulator, text, { headers: { ...bearer, 'Content-Type': 'text/plain' } })).status,
    shows: { '415': 415, '400': 400, accepted: 201 },
  },
  'platform.create.size-limit': {
    show: (simulator) =>
      post(simulator, text + ' '.repeat(2 * 1024 * 1024)).then(
        ({ status }) => status,
        () => 'closed',
      ),
    shows: { '413': 413, '400': 400, accepted: 201, closed: 'closed' },
  },
  'platform.errors.invalid-json': {
    show: async (simulator) => (await post(simulator, text.slice(0, -1))).status,
    shows: { '400': 400, '422': 422 },
  },
  'platform.errors.not-an-object': {
    show: async (simulator) => (await post(simulator, `[${text}]`)).status,
    shows: { '400': 400, '422': 422 },
  },
}

demonstrate(demonstrations)
