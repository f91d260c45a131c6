import { setTimeout as pause } from 'node:timers/promises'
import type { ChangeName } from '../hooks/saving.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'

/** Long enough for requests that were sent at the same time to meet. */
const overlapMs = 10

const nothing = async () => undefined

/** A server that saves a change only if the header Connection of its request is right. */
function savesFor(isRight: (connection: string | undefined) => boolean): Defect['override'] {
  return ({ readApiKeyHeader, save }) => {
    let isSaved = false
    return {
      readApiKeyHeader: (headers) => {
        isSaved = isRight(headers.connection)
        return readApiKeyHeader(headers)
      },
      save: (write, change) => (isSaved ? save(write, change) : nothing()),
    }
  }
}

/** Clause 4.3 rule 1: when the list is saved. */
export const savingDefects: readonly Defect[] = [
  {
    id: 'save.never',
    breaks: ['plugin.persist.list', 'plugin.persist.file-name', 'plugin.start.file-wins'],
    summary: 'The file is not written under the documented name.',
    override: () => ({ save: nothing }),
  },
  {
    id: 'save.not-on-removal',
    breaks: ['plugin.persist.list', 'plugin.persist.survives-crash'],
    summary: 'The file is written after a POST, but not after a DELETE.',
    override: () => ({ save: (write, change) => (change === 'add-rule' ? write() : nothing()) }),
  },
  {
    id: 'save.not-on-addition',
    breaks: ['plugin.persist.list', 'plugin.persist.file-name'],
    summary: 'The file is written after a DELETE, but not after a POST.',
    override: () => ({ save: (write, change) => (change === 'add-rule' ? nothing() : write()) }),
  },
  {
    id: 'save.when-it-stops',
    breaks: ['plugin.persist.survives-crash', 'plugin.start.reset'],
    summary: 'The file is written only when the server stops.',
    override: () => ({ save: nothing, savesOnStop: true }),
  },
  {
    id: 'save.every-second-change',
    breaks: ['plugin.persist.list', 'plugin.persist.survives-crash'],
    summary: 'Only every second change is saved.',
    override: () => {
      let changes = 0
      return {
        save: (write) => {
          changes++
          return changes % 2 === 0 ? write() : nothing()
        },
      }
    },
  },
  {
    id: 'save.second-removal-in-a-row-forgotten',
    breaks: ['plugin.persist.list', 'plugin.persist.survives-crash'],
    summary: 'A DELETE directly after another one is not saved.',
    override: () => {
      let before = ''
      return {
        save: (write, change) => {
          const again = change === 'remove-rule' && before === change
          before = change
          return again ? nothing() : write()
        },
      }
    },
  },
  {
    id: 'save.not-when-emptied',
    breaks: ['plugin.start.file-wins'],
    summary: 'DELETE of the only rule is not saved.',
    override: ({ addRule, removeRule }) => {
      let isEmpty = false
      return {
        addRule: (rules, rule) => {
          isEmpty = false
          return addRule(rules, rule)
        },
        removeRule: (rules, position) => {
          isEmpty = rules.length === 1
          return removeRule(rules, position)
        },
        save: (write) => (isEmpty ? nothing() : write()),
      }
    },
  },
  {
    id: 'save.removal-creates-no-file',
    breaks: ['plugin.start.file-wins'],
    maskedBy: [{ answers: { 'plugin.start.copy-saved': 'yes' } }],
    summary: 'DELETE is not saved while there is no rules file.',
    override: ({ writeFile }) => {
      let change: ChangeName
      return {
        save: (write, name) => {
          change = name
          return write()
        },
        writeFile: async (file, bytes) => {
          if (change === 'add-rule' || (await file.exists())) await writeFile(file, bytes)
        },
      }
    },
  },
  {
    id: 'save.removes-the-first-rule-of-its-master',
    breaks: ['plugin.persist.list'],
    summary: 'DELETE removes the first rule with the same master from the file, not the rule at the index.',
    override: ({ chooseSource, addRule, removeRule, encodeFile }) => {
      let filed: RuleList | undefined
      return {
        chooseSource: (fileExists) => {
          filed = undefined
          return chooseSource(fileExists)
        },
        addRule: (rules, rule) => {
          filed = addRule(filed ?? rules, rule).rules
          return addRule(rules, rule)
        },
        removeRule: (rules, position) => {
          filed ??= rules
          const place = filed.findIndex(({ master }) => master === rules[position]?.master)
          filed = filed.filter((_, at) => at !== place)
          return removeRule(rules, position)
        },
        encodeFile: (rules) => encodeFile(filed ?? rules),
      }
    },
  },
  {
    id: 'save.not-after-the-file-was-deleted',
    breaks: ['plugin.persist.list'],
    summary: 'After the file was deleted, changes are not saved until the next start.',
    override: ({ chooseSource, writeFile }) => {
      let hadFile = false
      return {
        chooseSource: (fileExists) => {
          hadFile = fileExists
          return chooseSource(fileExists)
        },
        writeFile: async (file, bytes) => {
          if (hadFile && !(await file.exists())) return
          await writeFile(file, bytes)
          hadFile = true
        },
      }
    },
  },
  {
    id: 'save.after-the-answer',
    breaks: ['plugin.persist.survives-crash'],
    summary: 'The response is sent half a second before the file is written.',
    override: () => ({
      save: async (write) => {
        // A server that has died meanwhile writes nothing; that is the point.
        setTimeout(() => write().catch(nothing), 500).unref()
      },
    }),
  },
  {
    id: 'save.only-in-the-first-life',
    breaks: ['plugin.persist.list'],
    summary: 'A server that found a file at the start does not save changes.',
    override: ({ chooseSource }) => {
      let found = false
      return {
        chooseSource: (fileExists) => {
          found = fileExists
          return chooseSource(fileExists)
        },
        save: (write) => (found ? nothing() : write()),
      }
    },
  },
  {
    id: 'save.writes-back-when-it-stops',
    breaks: ['plugin.start.reset'],
    summary: 'The file is written again when the server stops.',
    override: () => ({ savesOnStop: true }),
  },
  {
    id: 'save.not-after-waiting',
    breaks: ['plugin.persist.list'],
    summary: 'A change that has to wait for another one is not saved.',
    override: ({ serialise, save }) => {
      let pending = 0
      let isLost = false
      return {
        serialise: async (mutex, change) => {
          const waits = pending > 0
          pending += 1
          const run = () => {
            isLost = waits
            return change()
          }
          return serialise(mutex, run).finally(() => {
            pending -= 1
          })
        },
        save: async (write, change) => {
          const isSkipped = isLost
          await pause(overlapMs)
          if (!isSkipped) await save(write, change)
        },
      }
    },
  },
  {
    id: 'save.rule-of-a-rejected-post',
    breaks: ['plugin.persist.list'],
    summary: 'A POST that is rejected with 400 is saved in the file, where the next change overwrites it.',
    override: ({ encodeFile, save, finish }) => {
      let saveAgain: () => Promise<void> = nothing
      let isRejected = false
      return {
        save: (write, change) => {
          isRejected = false
          saveAgain = write
          return save(write, change)
        },
        encodeFile: (rules) => encodeFile(isRejected ? [...rules, ...rules.slice(-1)] : rules),
        finish: (response, request) => {
          if (request.method === 'POST' && response.status === 400 && !isRejected) {
            isRejected = true
            saveAgain().catch(nothing)
          }
          return finish(response, request)
        },
      }
    },
  },
  {
    id: 'save.not-while-the-connection-stays-open',
    breaks: ['plugin.persist.list'],
    summary: 'A change is saved only if its request has the header Connection: close.',
    override: savesFor((connection) => connection === 'close'),
  },
  {
    id: 'save.not-without-a-connection-header',
    breaks: ['plugin.persist.list'],
    summary: 'A change is not saved if its request has no header Connection, which HTTP/1.1 does not require.',
    override: savesFor((connection) => connection !== undefined),
  },
  {
    id: 'save.list-before-the-change',
    breaks: ['plugin.persist.list', 'plugin.persist.survives-crash'],
    summary: 'The file is written before the new rule is in the list, so it lacks the last one.',
    override: ({ encodeFile, addRule }) => {
      let newest: Rule | undefined
      return {
        addRule: (rules, rule) => {
          newest = rule
          return addRule(rules, rule)
        },
        encodeFile: (rules: RuleList) => encodeFile(rules.filter((rule) => rule !== newest)),
      }
    },
  },
]
