import { setTimeout as pause } from 'node:timers/promises'
import { overlapping } from '../../defect-parts/overlapping.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { CannotStartError } from '../hooks/start-up.ts'
import { type Rule, sameContent } from '../model/rule.ts'
import { arrayOf, type RuleList } from '../model/rule-list.ts'
import { unsentRule } from './4-3-file.ts'
import { type Defect, masked, rows } from './defect.ts'
import type { Known, Mutation } from './known.ts'
import { duplicatesRejected, everyPairOnce } from './masks.ts'
import { files, instead, saves } from './overrides.ts'

/** Long enough for concurrent requests to overlap. */
const overlapMs = 10

const nothing = async () => undefined

/** Long enough that a kill at a random moment falls between two writes, on a busy machine too. */
const betweenWritesMs = 60

/** A server that writes the file in two steps: an incomplete version, then the whole. */
function writesFirst(
  unfinished: (rules: RuleList, encode: Hooks['encodeFile']) => Uint8Array,
  isMeant: (known: Known) => boolean = () => true,
): Mutation {
  return ({ encodeFile, save, known }) => {
    let isUnfinished = false
    return {
      encodeFile: (rules) => (isUnfinished ? unfinished(rules, encodeFile) : encodeFile(rules)),
      save: async (write, change) => {
        if (isMeant(known)) {
          isUnfinished = true
          await write()
          isUnfinished = false
          await pause(betweenWritesMs)
        }
        await save(write, change)
      },
    }
  }
}

function half(rules: RuleList, encode: Hooks['encodeFile']): Uint8Array {
  const bytes = encode(rules)
  return bytes.subarray(0, bytes.length / 2)
}

/** A server whose DELETE removes from the file the first rule that is `alike`, and from the list the rule at the index. */
function removesFromFile(alike: (filed: Rule, removed: Rule) => boolean): Mutation {
  return ({ addRule, removeRule, encodeFile, known }) => {
    let changed: RuleList = []
    const filed = (rules: RuleList) => (known.changes.length === 0 ? rules : changed)
    return {
      addRule: (rules, rule) => {
        changed = addRule(filed(rules), rule).rules
        return addRule(rules, rule)
      },
      removeRule: (rules, position) => {
        const removed = arrayOf(rules)[position]
        const place = filed(rules).findIndex((rule) => removed !== undefined && alike(rule, removed))
        changed = filed(rules).filter((_, at) => at !== place)
        return removeRule(rules, position)
      },
      encodeFile: (rules) => encodeFile(filed(rules)),
    }
  }
}

/** Clause 4.3 rule 1: when the list is saved, and what the file holds after the process is killed. */
export const savingDefects: readonly Defect[] = [
  ...rows(['plugin.persist.list', 'plugin.persist.file-name', 'plugin.start.file-wins'], {
    'save.never The file is not written under the documented name.': saves(() => false),
  }),
  ...rows(['plugin.persist.list', 'plugin.persist.survives-crash'], {
    'save.not-on-removal The file is written only after a POST.': saves(({ change }) => change === 'add-rule'),
    'save.every-second-change Only every second change is saved.': saves(({ changes }) => changes.length % 2 === 0),
    'save.second-delete-in-a-row-lost A DELETE directly after another one is not saved.': () =>
      saves(({ change, changes }) => change === 'add-rule' || changes.at(-2)?.name !== change),
    'save.list-before-the-change The file is written before the new rule is in the list, so it lacks the last one.':
      files((rules, _, { newest }) => rules.filter((rule) => rule !== newest)),
  }),
  ...rows(['plugin.persist.list', 'plugin.persist.file-name'], {
    'save.not-on-addition The file is written after a DELETE, but not after a POST.': () =>
      saves(({ change }) => change === 'remove-rule'),
  }),
  ...rows(['plugin.persist.survives-crash', 'plugin.start.reset'], {
    'save.only-at-stop The file is written only when the server stops.': () => ({
      save: nothing,
      savesOnStop: () => true,
    }),
  }),
  ...rows('plugin.start.file-wins', {
    'save.not-when-list-becomes-empty DELETE of the only rule is not saved.': saves(({ rules }) => rules.length > 0),
    'save.removal-creates-no-file DELETE is not saved while there is no rules file.': masked({
      'plugin.start.copy-saved': 'yes',
    })(
      instead('writeFile', async ({ writeFile, known }, file, bytes) => {
        if (known.change === 'add-rule' || (await file.exists())) await writeFile(file, bytes)
      }),
    ),
  }),
  ...rows('plugin.persist.list', {
    'save.removes-first-rule-of-master DELETE removes the first rule with the same master from the file, not the rule at the index.':
      removesFromFile((one, other) => one.master === other.master),
    'save.removes-first-rule-of-logins DELETE removes the first rule with the same logins from the file, not the rule at the index.':
      masked([...everyPairOnce, { answers: { 'plugin.add.position': 'start', 'plugin.add.duplicate': 'refused' } }])(
        removesFromFile((one, other) => one.master === other.master && one.follower === other.follower),
      ),
    'save.removes-first-of-identical-rules DELETE removes the first of identical rules from the file, not the rule at the index.':
      masked(duplicatesRejected)(removesFromFile(sameContent)),
    'save.not-after-file-deletion After the file was deleted, changes are not saved until the next start.': () =>
      instead('writeFile', async ({ writeFile, known: { foundFile, changes } }, file, bytes) => {
        const hadFile = foundFile || changes.length > 1
        if (!hadFile || (await file.exists())) await writeFile(file, bytes)
      }),
    'save.only-after-first-start A server that found a file at the start does not save changes.': () =>
      saves(({ foundFile }) => !foundFile),
    'save.waiting-change-lost A change that has to wait for another one is not saved.': overlapping(
      overlapMs,
      ({ save }, overlap) => ({ save: (write, change) => save(overlap.waited ? nothing : write, change) }),
    ),
    'save.rule-of-a-rejected-post A POST that is rejected with 400 is saved in the file, where the next change overwrites it.':
      ({ encodeFile, save, finish }) => {
        let saveAgain: () => Promise<void> = nothing
        let isRejected = false
        return {
          save: (write, change) => {
            isRejected = false
            saveAgain = write
            return save(write, change)
          },
          encodeFile: (rules) => encodeFile(isRejected ? [...rules, unsentRule] : rules),
          finish: (response, request) => {
            if (request.method === 'POST' && response.status === 400 && !isRejected) {
              isRejected = true
              saveAgain().catch(nothing)
            }
            return finish(response, request)
          },
        }
      },
    'save.unchanged-list-emptied-at-stop A list that was loaded at the start and not changed since is empty in the file after a stop.':
      ({ encodeFile, known }) => {
        const isUnchanged = () => known.foundFile && known.changes.length === 0 && Boolean(known.parameters.API_Key)
        return {
          savesOnStop: isUnchanged,
          encodeFile: (rules) => encodeFile(isUnchanged() ? [] : rules),
        }
      },
    'save.copied-rules-last The rules of Copy_N are written to the file behind all others.': masked({
      'plugin.add.position': 'start',
    })(
      files((rules, _, { copied }) => [
        ...rules.filter((rule) => !copied.includes(rule)),
        ...rules.filter((rule) => copied.includes(rule)),
      ]),
    ),
    'save.only-with-connection-header A change is not saved if its request has no header Connection, which HTTP/1.1 does not require.':
      saves(({ headers }) => headers.connection !== undefined),
  }),
  ...rows('plugin.persist.survives-crash', {
    'save.after-the-response The response is sent half a second before the file is written.': () =>
      instead('save', async (_, write) => {
        // If the server has crashed in the meantime, nothing is written. This is the defect.
        setTimeout(() => write().catch(nothing), 500).unref()
      }),
    'crash.file-truncated-before-write The file is truncated before it is written, so a kill in between leaves half of it.':
      writesFirst(half),
    'crash.loaded-file-overwritten-in-place A file that was loaded at the start is overwritten in place, so a kill in between leaves half of it.':
      writesFirst(half, ({ foundFile }) => foundFile),
    'crash.empty-file-prevents-start The file is emptied before it is written, and a server that finds an empty file does not start.':
      (hooks) => ({
        ...writesFirst(() => new Uint8Array())(hooks),
        replaceCorruptFile: () => {
          throw new CannotStartError('The rules file is empty.', 'Delete the file.')
        },
      }),
  }),
  ...rows('plugin.persist.list', saves, {
    'sequence.first-change-saved-late The first change after a start is saved only with the next one.': ({
      foundFile,
      changes,
    }) => !foundFile || changes.length > 1,
    'save.not-after-the-list-was-emptied Once a DELETE has emptied the list, no change is saved.': ({ emptied }) =>
      !emptied,
    'save.not-after-an-empty-start After a start with an empty file, no change is saved.': ({ foundFile, loaded }) =>
      !(foundFile && loaded.length === 0),
  }),
  ...rows('plugin.start.parameters-can-be-changed', {
    'save.removal-before-any-addition-not-saved A DELETE is not saved until a rule was added through the API.': () =>
      saves(({ change, added }) => !(change === 'remove-rule' && added.size === 0)),
  }),
  ...rows('plugin.start.reset', {
    'save.again-at-stop A list that was changed since the start is written again when the server stops.': () =>
      instead('savesOnStop', ({ known }) => known.changes.length > 0),
    'save.again-at-stop-if-loaded A file that was loaded at the start is written again when the server stops.': () =>
      instead('savesOnStop', ({ known }) => known.foundFile),
  }),
]
