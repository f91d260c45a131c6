import type { IncomingHttpHeaders } from 'node:http'
import { supply } from '../../defect-parts/resource-pool.ts'
import type { Defect } from './defect.ts'

function isLarge(headers: IncomingHttpHeaders): boolean {
  return Number(headers['content-length']) > 1_000_000
}

/** What any server should withstand: requests that are too large, or none at all. */
export const attackDefects: readonly Defect[] = [
  {
    id: 'robust.large-body-takes-all-memory',
    breaks: ['plugin.robust.large-body'],
    summary: 'A body of several MiB uses the memory that later requests need.',
    override: ({ readApiKeyHeader }) => {
      const memory = supply(1)
      return {
        readApiKeyHeader: (headers) => {
          memory.need(undefined)
          if (isLarge(headers)) memory.lose()
          return readApiKeyHeader(headers)
        },
      }
    },
  },
  {
    id: 'robust.end-of-large-body-replaced',
    breaks: ['plugin.robust.large-body'],
    summary: 'Members at the end of a large body are replaced by default values.',
    override: ({ parseJson }) => ({
      bodyLimitBytes: Number.POSITIVE_INFINITY,
      parseJson: (text) =>
        text.length > 1_000_000
          ? parseJson('{"master":1,"follower":2,"mode":"mult","value":1,"direction":"same"}')
          : parseJson(text),
    }),
  },
  {
    id: 'robust.nothing-saved-after-large-body',
    breaks: ['plugin.robust.large-body'],
    summary: 'After a body of several MiB no change is saved.',
    override: ({ readApiKeyHeader, save }) => {
      const files = supply(1)
      return {
        readApiKeyHeader: (headers) => {
          if (isLarge(headers)) files.lose()
          return readApiKeyHeader(headers)
        },
        save: async (write, change) => save(files.need(write), change),
      }
    },
  },
  {
    id: 'robust.broken-off-body-is-added',
    breaks: ['plugin.robust.broken-off-body'],
    summary: 'A truncated body is added as a rule if it can be parsed.',
    override: () => ({ brokenOff: (bytes) => bytes }),
  },
  {
    id: 'robust.broken-off-body-keeps-its-worker',
    breaks: ['plugin.robust.broken-off-body'],
    summary: 'Each truncated body blocks one of two workers.',
    override: ({ brokenOff, readApiKeyHeader }) => {
      const workers = supply(2)
      return {
        readApiKeyHeader: (headers) => workers.need(readApiKeyHeader(headers)),
        brokenOff: (bytes) => {
          workers.lose()
          return brokenOff(bytes)
        },
      }
    },
  },
  {
    id: 'robust.long-header-runs-over',
    breaks: ['plugin.robust.long-header'],
    summary: 'A long header overflows its buffer and crashes the server.',
    override: ({ unparsable, readApiKeyHeader }) => {
      const buffer = supply(1)
      return {
        readApiKeyHeader: (headers) => buffer.need(readApiKeyHeader(headers)),
        unparsable: (problem, code) => {
          if (problem === 'headers-too-large') buffer.lose()
          return unparsable(problem, code)
        },
      }
    },
  },
  {
    id: 'robust.noise-keeps-its-worker',
    breaks: ['plugin.robust.no-http'],
    summary: 'Each connection that does not speak HTTP blocks one of two workers.',
    override: ({ unparsable, readApiKeyHeader }) => {
      const workers = supply(2)
      return {
        readApiKeyHeader: (headers) => workers.need(readApiKeyHeader(headers)),
        unparsable: (problem, code) => {
          workers.lose()
          return unparsable(problem, code)
        },
      }
    },
  },
  {
    id: 'robust.long-path-runs-over-the-key',
    breaks: ['plugin.robust.long-path'],
    summary: 'A long path overwrites the key, and every later request is rejected.',
    override: ({ splitTarget, sameKey }) => {
      let overwritten = false
      return {
        splitTarget: (target) => {
          overwritten ||= target.length > 4096
          return splitTarget(target)
        },
        sameKey: (given, key) => !overwritten && sameKey(given, key),
      }
    },
  },
  {
    id: 'robust.long-path-is-the-path-before',
    breaks: ['plugin.robust.long-path'],
    summary: 'A path that is too long for its buffer is replaced by the path of the previous request.',
    override: ({ splitTarget }) => {
      let buffer = { path: '', query: '' }
      return {
        splitTarget: (target) => {
          if (target.length < 4096) buffer = { ...splitTarget(target) }
          return buffer
        },
      }
    },
  },
]
