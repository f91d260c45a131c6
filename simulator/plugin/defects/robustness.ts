import { isUtf8 } from 'node:buffer'
import { stringify } from 'lossless-json'
import { combine } from '../../defect-parts/combine.ts'
import { after, losing } from '../../defect-parts/events.ts'
import { correctsBody, overflowsStack, ownMember } from '../../defect-parts/json-body.ts'
import { reject } from '../../defect-parts/wire.ts'
import type { Members } from '../../server/json.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { type Defect, masked, rows } from './defect.ts'
import type { Right } from './known.ts'
import { argument, instead, on, rejectsEveryKey, savesNothing } from './overrides.ts'

const deepNesting = /([[{]("a":)?){5000}/
const deepArrays = /\[{5000}/
const deepObjects = /({"a":){5000}/

const surrogate = Buffer.from([0xed, 0xa0, 0x80])

/** The event of a body of several MiB. A length of 4 GiB or more is a false one. */
const largeBody = on('readAuthorizationHeader', (headers) => {
  const length = Number(headers['content-length'])
  return length > 1_000_000 && length < 2 ** 32
})

/** The rule that a server creates from default values. */
const defaultRule = '{"master":1,"follower":2,"mode":"mult","value":1,"direction":"same"}'

/** What any server should withstand. */
export const robustnessDefects: readonly Defect[] = [
  ...rows('plugin.robust.survives', {
    'robust.deep-json-crashes Deeply nested JSON overflows the stack and crashes the server.': () =>
      losing<Hooks>(overflowsStack((text) => deepNesting.test(text))),
    'robust.deep-json-returns-200 JSON with deeply nested arrays returns 200 and adds nothing.': () =>
      correctsBody((text) => (deepArrays.test(text) ? reject(200, 'The JSON is nested too deeply.') : text)),
    'robust.invalid-utf8-returns-200 A body that is not UTF-8 returns 200 and adds nothing.': () =>
      argument('decodeText')((bytes) => (isUtf8(bytes) ? bytes : reject(200, 'Not UTF-8.'))),
    'robust.deep-json-adds-default-rule JSON with deeply nested objects adds a rule with default values.': () =>
      correctsBody((text) => (deepObjects.test(text) ? defaultRule : text)),
    'robust.raw-bytes-echoed The error text repeats the sent direction with its raw bytes.': ({ readDirection }) => ({
      decodeText: (bytes) => Buffer.from(bytes).toString('latin1'),
      readDirection: (value) =>
        typeof value === 'string' && value !== 'same' && value !== 'reverse'
          ? reject(400, `The direction ${value} is unknown.`)
          : readDirection(value),
      encodeJson: (value) => Buffer.from(stringify(value) ?? 'null', 'latin1'),
    }),
    'robust.direction-with-invalid-bytes-is-same A direction with bytes that are not UTF-8 is read as same.': ({
      readDirection,
    }) => ({
      decodeText: (bytes) => Buffer.from(bytes).toString(),
      readDirection: (value) => readDirection(String(value).includes('\uFFFD') ? 'same' : value),
    }),
    'robust.surrogate-bytes-hang A surrogate in the bytes of a body throws in the decoder, and the server stops responding.':
      losing(on('decodeText', (bytes) => Buffer.from(bytes).includes(surrogate))),
    'robust.end-of-large-body-replaced Members at the end of a large body are replaced by default values.':
      combine<Right>([
        () => ({ bodyLimitBytes: Number.POSITIVE_INFINITY }),
        correctsBody((text) => (text.length > 1_000_000 ? defaultRule : text)),
      ]),
    'robust.large-body-prevents-saving After a body of several MiB the file is closed, and every change returns 500.':
      after(largeBody, savesNothing),
    'robust.truncated-body-added A truncated body is added as a rule if it can be parsed.': () =>
      instead('partialBody', (_, bytes) => bytes),
    'robust.truncated-chunks-added A chunked body that lacks its last chunk is added as a rule.': instead(
      'partialBody',
      ({ partialBody, known }, bytes) => (known.headers['transfer-encoding'] ? bytes : partialBody(bytes)),
    ),
    'robust.truncated-body-blocks-worker Each truncated body blocks one of two workers.': losing(on('partialBody'), 2),
    'robust.long-header-crashes A long header overflows its buffer and crashes the server.': () =>
      losing(on('unparsable', (problem) => problem === 'headers-too-large')),
    'robust.reset-crashes A client that resets its connection crashes the server.': () =>
      losing<Hooks>(({ finish }, happens) => ({
        finish: (response, request) => {
          if (request.socket.listenerCount('error', happens) === 0) request.socket.once('error', happens)
          return finish(response, request)
        },
      })),
    'robust.noise-blocks-worker Each connection without HTTP blocks one of two workers.': losing(on('unparsable'), 2),
    'robust.long-path-overwrites-key A long path overwrites the key, and every later request is rejected.': after(
      on('splitTarget', (target) => target.length > 4096),
      rejectsEveryKey,
    ),
    'robust.long-path-replaced-by-previous A path that is too long for its buffer is replaced by the path of the previous request.':
      argument('splitTarget')((target, _, previous) => (target.length < 4096 ? target : previous.target)),
  }),
  ...rows('plugin.robust.prototype-member', {
    'robust.prototype-returns-200 A body with the member __proto__ returns 200 and adds nothing.': () =>
      correctsBody((text) => (text.includes('"__proto__"') ? reject(200, 'The member is ignored.') : text)),
    'robust.constructor-breaks-next-post After a body with the member constructor, the next POST without direction returns 500.':
      instead('parseJson', ({ parseJson, known }, text) => {
        const isPolluted = ownMember(known.sent.at(-1) ?? {}, 'constructor') !== undefined
        return isPolluted && !text.includes('"direction"') ? reject(500, 'Internal error.') : parseJson(text)
      }),
    'robust.missing-field-from-prototype A missing field is read from the member __proto__.': masked({
      'plugin.body.unknown-member': 'refused',
    })(
      instead('fieldOf', ({ fieldOf }, members, field) => {
        const prototype = ownMember(members, '__proto__') ?? members
        return Object.hasOwn(members, field) ? members[field] : fieldOf(prototype as Members, field)
      }),
    ),
    'robust.prototype-pollutes-later-requests The member constructor.prototype sets fields of later bodies.': () =>
      instead('fieldOf', ({ fieldOf, known: { sent } }, members, field) => {
        const constructors = sent.map((one) => ownMember(one, 'constructor') as Members | undefined)
        const polluted: Members = Object.assign({}, ...constructors.map((one) => one?.prototype))
        return Object.hasOwn(members, field) || !(field in polluted) ? fieldOf(members, field) : polluted[field]
      }),
  }),
]
