import { isDeepStrictEqual } from 'node:util'
import { combine } from '../../defect-parts/combine.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import { arrayOf, type RuleList } from '../model/rule-list.ts'
import { listensWhileDisabled } from './5-headers.ts'
import { type Defect, maskedRows, rows } from './defect.ts'
import type { Known } from './known.ts'
import { acrossStarts, argument, authorizes, files, holds, instead, result, withKnown } from './overrides.ts'

/** A server that starts with other rules if it reads the Copy_N. */
const copies = result('joinCopies')

/** A server that chooses between the rules of the file and those of Copy_N, although the file should win. */
const choosesRules = (choose: (copied: RuleList, known: Known, hasCopies: boolean) => RuleList) =>
  combine<Hooks>([
    () => ({ fileWins: () => false }),
    copies((copied, [found], known) => choose(copied, known, found.length > 0)),
  ])

const pairOf = ({ master, follower }: Rule) => `${master} ${follower}`

/** A server that reads only some Copy_N, or other parameters. */
const findsCopies = result('findCopies')

/** A server that reads other parameters than it has. */
const readsParameters = argument('findCopies')

/** A server that reads only the `Copy_N` with some numbers. */
const findsNumbers = (isFound: (number: string) => boolean) =>
  findsCopies((copies) => copies.filter(({ number }) => isFound(number)))

/** A server that loads the file before the last change if there is no other. */
const keepingPrevious = acrossStarts(
  () => ({ written: [] as readonly RuleList[] }),
  (state) =>
    withKnown(({ encodeFile, joinCopies }, known) => ({
      encodeFile: (rules) => {
        state.written = [...state.written.slice(-1), rules]
        return encodeFile(rules)
      },
      joinCopies: (copies) => {
        const rules = joinCopies(copies)
        const [previous = rules] = state.written.length > 1 && !known.foundFile ? state.written : []
        return previous
      },
    })),
)

/** A server that reads other rules from a `Copy_N`; undefined if it cannot be read. */
const readsCopies = result('parseCopy')

/** A server that reads some `Copy_N` as if they had another value. */
const readsCopyAs = (change: (value: string) => string, become: (rule: Rule) => Rule) =>
  instead('parseCopy', ({ parseCopy }, value) => {
    const changed = change(value)
    return changed === value ? parseCopy(value) : parseCopy(changed)?.map(become)
  })

const loginsIn32Bits = ({ master, follower }: Rule) => ({
  master: BigInt.asUintN(32, master),
  follower: BigInt.asUintN(32, follower),
})

const asDouble = (login: bigint) => BigInt(Number(login))

// A C++ server stores any text here; the simulator's type allows only the documented words.
const spelled = (field: 'mode' | 'direction', word: string) => (rule: Rule) => ({ ...rule, [field]: word }) as Rule

/** Clauses 4.3 and 5: the rules with which a server starts, and parameters that change between two starts. */
export const startUpDefects: readonly Defect[] = [
  ...rows('plugin.start.file-wins', {
    'start.merges-copies-with-file The rules of Copy_N are added to those of the file.': choosesRules(
      (copied, { loaded }) => [...loaded, ...copied],
    ),
    'start.further-copies-added-to-file If there are more Copy_N than rules in the file, the further ones are added.':
      choosesRules((copied, { loaded, foundFile }) =>
        loaded.length > 0 ? [...loaded, ...copied.slice(loaded.length)] : foundFile ? [] : copied,
      ),
    'start.changed-copies-override-file The file is ignored if a Copy_N has changed since the first start.': withKnown(
      ({ findCopies, joinCopies }, known) => ({
        fileWins: () => false,
        joinCopies: (copies) => {
          const isChanged = !isDeepStrictEqual(findCopies(known.parameters), findCopies(known.first ?? {}))
          return known.foundFile && !isChanged ? known.loaded : joinCopies(copies)
        },
      }),
    ),
  }),
  ...rows('plugin.start.parameters-can-be-changed', {
    'start.copies-override-rules-of-their-logins A rule in the file with the logins of a Copy_N gets the rest of that Copy_N.':
      choosesRules((copied, { loaded, foundFile }) =>
        foundFile ? loaded.map((rule) => copied.find((copy) => pairOf(copy) === pairOf(rule)) ?? rule) : copied,
      ),
  }),
  ...rows(['plugin.start.file-wins', 'plugin.start.parameters-can-be-changed'], {
    'start.copies-override-file The file is ignored if there is a Copy_N.': choosesRules(
      (copied, { loaded }, hasCopies) => (hasCopies ? copied : loaded),
    ),
  }),
  ...rows('plugin.persist.list', {
    'start.file-needs-copies The file is read only if there is a Copy_N.': choosesRules(
      (copied, { loaded, foundFile }, hasCopies) => (hasCopies ? (foundFile ? loaded : copied) : []),
    ),
  }),
  ...rows(['plugin.start.parameters', 'plugin.start.reset', 'plugin.start.all-parameters'], {
    'start.missing-file-treated-as-empty A missing file is treated as a file with zero rules.': () => ({
      chooseSource: () => 'file',
      replaceCorruptFile: () => 'empty',
    }),
  }),
  ...rows(['plugin.start.parameters', 'plugin.start.all-parameters', 'plugin.start.reset'], {
    'start.only-the-last-copy Each Copy_N replaces the one before it.': instead(
      'joinCopies',
      ({ joinCopies }, copies) => joinCopies(copies.slice(-1)),
    ),
  }),
  ...rows('plugin.start.parameters', {
    'start.value-of-copy-as-integer The value of a Copy_N is read as an integer, and 0 becomes 1.': readsCopies(
      (rules) => rules?.map((rule) => ({ ...rule, value: Math.trunc(rule.value) || 1 })),
    ),
    'start.logins-of-copy-in-32-bits The logins of a Copy_N are read as 32-bit integers.': readsCopies((rules) =>
      rules?.map((rule) => ({ ...rule, ...loginsIn32Bits(rule) })),
    ),
    'start.logins-of-copy-as-doubles The logins of a Copy_N are read as floating-point numbers.': readsCopies((rules) =>
      rules?.map((rule) => ({ ...rule, master: asDouble(rule.master), follower: asDouble(rule.follower) })),
    ),
    'start.demo-rule A server without rules starts with an example rule.': copies((rules, [found]) =>
      found.length > 0 ? rules : [{ master: 1n, follower: 2n, mode: 'mult', value: 1, direction: 'same' }],
    ),
  }),
  ...rows('plugin.start.all-parameters', {
    'start.two-rules-per-copy A Copy_N value creates at most two rules.': readsCopies((rules) => rules?.slice(0, 2)),
    'start.four-rules-per-copy A Copy_N value creates at most four rules.': readsCopies((rules) => rules?.slice(0, 4)),
    'start.direction-of-first-follower-only The rules of the later followers of a Copy_N have the direction same.':
      readsCopies((rules) => rules?.map((rule, place) => (place > 0 ? { ...rule, direction: 'same' } : rule))),
    'start.value-of-copy-with-two-decimals The value of a Copy_N is rounded to two decimals.': readsCopies((rules) =>
      rules?.map((rule) => ({ ...rule, value: Number(rule.value.toFixed(2)) || rule.value })),
    ),
    'start.copies-with-any-suffix Every parameter whose name begins with Copy_ is loaded.': findsCopies(
      (copies, [parameters]) => {
        const others = Object.entries(parameters).filter(([name]) => /^Copy_\D/.test(name))
        return [...copies, ...others.map(([name, value]) => ({ name, number: '0', value }))]
      },
    ),
    'start.copies-end-at-gap Copy_N are read only up to the first missing number.': findsCopies((copies) => {
      const first = Number(copies[0]?.number)
      return copies.filter(({ number }, place) => Number(number) === first + place)
    }),
    'start.copy-zero-ignored Copy_0 is not read.': findsNumbers((number) => number !== '0'),
    'start.copies-end-at-32 Only Copy_1 to Copy_32 are read.': findsNumbers((number) => Number(number) <= 32),
    'start.copies-end-at-255 Copy_N above 255 are not read.': findsNumbers((number) => Number(number) <= 255),
  }),
  ...rows('plugin.start.parameters-can-be-changed', {
    'start.copies-cannot-be-removed DELETE of a rule from Copy_N returns 404.': holds(
      (isHeld, [rules, position], { copied }) => isHeld && !copied.some((rule) => rule === arrayOf(rules)[position]),
    ),
    'start.copies-are-not-saved The file holds only the rules added through the API, not those of Copy_N.': files(
      (rules, _, { copied }) => rules.filter((rule) => !copied.includes(rule)),
    ),
  }),
  ...maskedRows({ 'plugin.add.position': 'start' }, 'plugin.add.index-of-new-rule', {
    'start.copies-not-counted-in-the-index The returned index does not count the rules of Copy_N.': instead(
      'reportedIndex',
      ({ reportedIndex, known: { rules, copied } }, position, total) => {
        const listed = rules.filter((rule) => copied.includes(rule)).length
        return reportedIndex(Math.max(0, position - listed), total)
      },
    ),
  }),
  ...rows('plugin.start.reset', {
    'start.backup-restored A start with the file keeps a copy of it, which a start without the file loads instead of Copy_N.':
      copies((rules, _, { foundFile, backup = rules }) => (rules.length > 0 && !foundFile ? backup : rules)),
    'start.previous-file-restored Each change keeps the file before it, which a start without a file loads instead of Copy_N.':
      keepingPrevious,
    'start.copies-of-the-first-start The Copy_N of the first start are used at every later start.': readsParameters(
      (present, _, { first = present }) => first,
    ),
    'start.removed-copies-stay A Copy_N that was removed from the parameters keeps its first value.': readsParameters(
      (present, _, { first }) => ({ ...first, ...present }),
    ),
  }),
  ...rows('plugin.persist.list', {
    'start.without-key-empties-the-file A start without a key empties the rules file.': acrossStarts(
      () => ({ isEmpty: false }),
      (state) =>
        ({ chooseSource, decodeFile, encodeFile }) => ({
          chooseSource: (fileExists, parameters) => {
            state.isEmpty ||= fileExists && !parameters.API_Key
            return chooseSource(fileExists, parameters)
          },
          decodeFile: (bytes) => (state.isEmpty ? [] : decodeFile(bytes)),
          encodeFile: (rules) => {
            state.isEmpty = false
            return encodeFile(rules)
          },
        }),
    ),
  }),
  ...rows('plugin.auth.disabled', {
    'disabled.earlier-key-kept-with-a-file The key of the first start stays the only one once there is a rules file.':
      instead('sameKey', ({ sameKey, known: { first, foundFile } }, given, key) =>
        foundFile ? given === first?.API_Key : sameKey(given, key),
      ),
    'disabled.earlier-key-still-works When API_Key is emptied, the key of the first start still works.': withKnown(
      ({ sameKey }, known) => ({
        ...listensWhileDisabled,
        sameKey: (given, key) => (key === '' ? given !== '' && given === known.first?.API_Key : sameKey(given, key)),
      }),
    ),
    'disabled.earlier-key-works-as-bearer The key of the first start works as a Bearer token beside the present one.':
      authorizes(
        (given, isRight, { first }) => isRight() || (given.bearer !== undefined && given.bearer === first?.API_Key),
      ),
  }),
  ...rows(['plugin.auth.disabled', 'plugin.auth.key-from-parameter'], {
    'disabled.earlier-key-works-with-the-next The key of the first start works beside the present one.': instead(
      'sameKey',
      ({ sameKey, known: { first } }, given, key) =>
        sameKey(given, key) || (key !== '' && given !== '' && given === first?.API_Key),
    ),
    'disabled.no-key-works-after-key-change The key of the first start is checked beside the present one, so none works after a change.':
      result('sameKey')((isSame, [given], { first }) => isSame && given === first?.API_Key),
  }),
  ...rows('plugin.rule.fields', {
    'start.copy-with-value-zero A Copy_N with value 0 is loaded.': readsCopyAs(
      (value) => value.replace(/([,;])0([,;])/, '$11$2'),
      (rule) => ({ ...rule, value: 0 }),
    ),
    'start.single-negative-copy-loaded A Copy_N with a negative value is loaded and listed as it is written, if no other Copy_N is invalid.':
      (hooks) => ({
        ...readsCopyAs(
          (value) => value.replace(/([,;])-/, '$1'),
          (rule) => ({ ...rule, value: -rule.value }),
        )(hooks),
        joinCopies: (copies) => (copies.some(({ rules }) => rules === undefined) ? [] : hooks.joinCopies(copies)),
      }),
    'start.copy-mode-not-normalized A Copy_N with mode multiplier is listed with mode multiplier.': readsCopyAs(
      (value) => value.replace('multiplier', 'mult'),
      spelled('mode', 'multiplier'),
    ),
    'start.copy-direction-not-validated A Copy_N with an unknown direction is loaded and listed as it is written.':
      readsCopyAs((value) => value.replace('both', 'same'), spelled('direction', 'both')),
  }),
]
