import { isDeepStrictEqual } from 'node:util'
import { type Rule, samePair } from '../model/rule.ts'
import { arrayOf, type RuleList } from '../model/rule-list.ts'
import { anyCopyName, type Parameters } from '../store/copy-parameters.ts'
import { listensWhileDisabled } from './5-headers.ts'
import { type Defect, maskedRows, rows } from './defect.ts'
import type { Known, Mutation } from './known.ts'
import { argument, authorizes, files, holds, instead, loads, result } from './overrides.ts'

/** Servers that find other Copy_N, read other rules from one (undefined if it cannot be read), or join them differently. */
const findsCopies = result('findCopies')
const readsParameters = argument('findCopies')
const readsCopies = result('parseCopy')
const copies = result('joinCopies')

/** A server that chooses between the rules of the file and those of Copy_N, although the file should win. */
const choosesRules =
  (choose: (copied: RuleList, known: Known, hasCopies: boolean) => RuleList): Mutation =>
  (right) => ({
    fileWins: () => false,
    ...copies((copied, [found], known) => choose(copied, known, found.length > 0))(right),
  })

const copiesIn = (parameters: Parameters) =>
  Object.entries(parameters)
    .filter(([name]) => anyCopyName.test(name))
    .sort()

/** A server that reads only the `Copy_N` with some numbers. */
const findsNumbers = (isFound: (number: string) => boolean) =>
  findsCopies((copies) => copies.filter(({ number }) => isFound(number)))

/** A server that reads some `Copy_N` as if they had another value. */
const readsCopyAs = (change: (value: string) => string, become: (rule: Rule) => Rule) =>
  instead('parseCopy', ({ parseCopy }, value) => {
    const changed = change(value)
    return changed === value ? parseCopy(value) : parseCopy(changed)?.map(become)
  })

/** A server that reads other fields of each rule from a `Copy_N`. */
const readsFields = (change: (rule: Rule, place: number) => Partial<Rule>) =>
  readsCopies((rules) => rules?.map((rule, place) => ({ ...rule, ...change(rule, place) })))

const asDouble = (login: bigint) => BigInt(Number(login))

// A C++ server stores any text here; the simulator's type allows only the documented words.
const spelled = (field: 'mode' | 'direction', word: string) => (rule: Rule) => ({ ...rule, [field]: word }) as Rule

/** Clauses 4.3 and 5: the rules with which a server starts, and parameters that change between two starts. */
export const startUpDefects: readonly Defect[] = [
  ...rows('plugin.start.file-wins', {
    'start.merges-copies-with-file The rules of Copy_N are added to those of the file.': () =>
      choosesRules((copied, { loaded }) => [...loaded, ...copied]),
    'start.further-copies-added-to-file If there are more Copy_N than rules in the file, the further ones are added.':
      choosesRules((copied, { loaded, foundFile }) =>
        loaded.length > 0 ? [...loaded, ...copied.slice(loaded.length)] : foundFile ? [] : copied,
      ),
    'start.changed-copies-override-file The file is ignored if a Copy_N has changed since the first start.':
      choosesRules((copied, { loaded, foundFile, parameters, first = {} }) =>
        foundFile && isDeepStrictEqual(copiesIn(parameters), copiesIn(first)) ? loaded : copied,
      ),
  }),
  ...rows('plugin.start.parameters-can-be-changed', {
    'start.copies-override-rules-of-their-logins A rule in the file with the logins of a Copy_N gets the rest of that Copy_N.':
      choosesRules((copied, { loaded, foundFile }) =>
        foundFile ? loaded.map((rule) => copied.find((copy) => samePair(copy, rule)) ?? rule) : copied,
      ),
    'start.copies-cannot-be-removed DELETE of a rule from Copy_N returns 404.': holds(
      (isHeld, [rules, position], { copied }) => isHeld && !copied.some((rule) => rule === arrayOf(rules)[position]),
    ),
    'start.copies-are-not-saved The file holds only the rules added through the API, not those of Copy_N.': () =>
      files((rules, _, { copied }) => rules.filter((rule) => !copied.includes(rule))),
  }),
  ...rows(['plugin.start.file-wins', 'plugin.start.parameters-can-be-changed'], {
    'start.copies-override-file The file is ignored if there is a Copy_N.': () =>
      choosesRules((copied, { loaded }, hasCopies) => (hasCopies ? copied : loaded)),
  }),
  ...rows('plugin.persist.list', {
    'start.file-needs-copies The file is read only if there is a Copy_N.': () =>
      choosesRules((copied, { loaded, foundFile }, hasCopies) => (hasCopies ? (foundFile ? loaded : copied) : [])),
    'start.without-key-empties-the-file A start without a key empties the rules file.': (right) => ({
      ...loads((rules, _, { parameters }) => (parameters.API_Key ? rules : []))(right),
      savesOnStop: () => right.known.foundFile && !right.known.parameters.API_Key,
    }),
    'start.file-of-another-key-ignored The file is not read once API_Key has changed since the first start.': loads(
      (rules, _, { parameters, first }) => (parameters.API_Key === first?.API_Key ? rules : []),
    ),
  }),
  ...rows(['plugin.start.parameters', 'plugin.start.reset', 'plugin.start.all-parameters'], {
    'start.missing-file-treated-as-empty A missing file is treated as a file with zero rules.': () => ({
      chooseSource: () => 'file',
      replaceCorruptFile: () => 'empty',
    }),
  }),
  ...rows(['plugin.start.parameters', 'plugin.start.all-parameters', 'plugin.start.reset'], {
    'start.only-the-last-copy Each Copy_N replaces the one before it.': () =>
      argument('joinCopies')((copies) => copies.slice(-1)),
  }),
  ...rows('plugin.start.parameters', {
    'start.value-of-copy-as-integer The value of a Copy_N is read as an integer, and 0 becomes 1.': () =>
      readsFields(({ value }) => ({ value: Math.trunc(value) || 1 })),
    'start.logins-of-copy-in-32-bits The logins of a Copy_N are read as 32-bit integers.': readsFields(
      ({ master, follower }) => ({ master: BigInt.asUintN(32, master), follower: BigInt.asUintN(32, follower) }),
    ),
    'start.logins-of-copy-as-doubles The logins of a Copy_N are read as floating-point numbers.': () =>
      readsFields(({ master, follower }) => ({ master: asDouble(master), follower: asDouble(follower) })),
    'start.demo-rule A server without rules starts with an example rule.': copies((rules, [found]) =>
      found.length > 0 ? rules : [{ master: 1n, follower: 2n, mode: 'mult', value: 1, direction: 'same' }],
    ),
  }),
  ...rows('plugin.start.all-parameters', {
    'start.two-rules-per-copy A Copy_N value creates at most two rules.': readsCopies((rules) => rules?.slice(0, 2)),
    'start.four-rules-per-copy A Copy_N value creates at most four rules.': readsCopies((rules) => rules?.slice(0, 4)),
    'start.eight-rules-per-copy A Copy_N value creates at most eight rules.': readsCopies((rules) =>
      rules?.slice(0, 8),
    ),
    'start.direction-of-first-follower-only The rules of the later followers of a Copy_N have the direction same.':
      readsFields((_, place) => (place > 0 ? { direction: 'same' } : {})),
    'start.value-of-copy-with-two-decimals The value of a Copy_N is rounded to two decimals.': () =>
      readsFields(({ value }) => ({ value: Number(value.toFixed(2)) || value })),
    'start.copies-with-any-suffix Every parameter whose name begins with Copy_ is loaded.': () =>
      findsCopies((copies, [parameters]) => {
        const others = Object.entries(parameters).filter(([name]) => /^Copy_\D/.test(name))
        return [...copies, ...others.map(([name, value]) => ({ name, number: '0', value }))]
      }),
    'start.copies-end-at-gap Copy_N are read only up to the first missing number.': findsCopies((copies) => {
      const first = Number(copies[0]?.number)
      return copies.filter(({ number }, place) => Number(number) === first + place)
    }),
    'start.copy-zero-ignored Copy_0 is not read.': findsNumbers((number) => number !== '0'),
    'start.copies-end-at-32 Only Copy_1 to Copy_32 are read.': findsNumbers((number) => Number(number) <= 32),
    'start.copies-end-at-255 Copy_N above 255 are not read.': findsNumbers((number) => Number(number) <= 255),
  }),
  ...maskedRows({ 'plugin.add.position': 'start' }, 'plugin.add.index-of-new-rule', {
    'start.copies-not-counted-in-the-index The returned index does not count the rules of Copy_N.': argument(
      'reportedIndex',
    )((position, _, { rules, copied }) => Math.max(0, position - rules.filter((rule) => copied.includes(rule)).length)),
  }),
  ...rows('plugin.start.reset', {
    'start.backup-restored A start with the file keeps a copy of it, which a start without the file loads instead of Copy_N.':
      copies((rules, _, { foundFile, earlier }) => {
        const backup = earlier.findLast((start) => start.foundFile)?.loaded ?? rules
        return rules.length > 0 && !foundFile ? backup : rules
      }),
    'start.previous-file-restored Each change keeps the file before it, which a start without a file loads instead of Copy_N.':
      copies((rules, _, { foundFile, earlier }) => {
        const previous = earlier.flatMap(({ changes }) => changes).at(-2)?.rules ?? rules
        return foundFile ? rules : previous
      }),
    'start.copies-of-the-first-start The Copy_N of the first start are used at every later start.': () =>
      readsParameters((present, _, { first = present }) => first),
    'start.removed-copies-stay A Copy_N that was removed from the parameters keeps its first value.': () =>
      readsParameters((present, _, { first }) => ({ ...first, ...present })),
  }),
  ...rows('plugin.auth.disabled', {
    'disabled.earlier-key-kept-with-a-file The key of the first start stays the only one once there is a rules file.':
      result('sameKey')((isSame, [given], { first, foundFile }) => (foundFile ? given === first?.API_Key : isSame)),
    'disabled.earlier-key-still-works When API_Key is emptied, the key of the first start still works.':
      listensWhileDisabled(
        result('sameKey')((isSame, [given, key], { first }) =>
          key === '' ? given !== '' && given === first?.API_Key : isSame,
        ),
      ),
    'disabled.earlier-key-works-as-bearer The key of the first start works as a Bearer token beside the present one.':
      authorizes(
        (given, isRight, { first }) => isRight() || (given.bearer !== undefined && given.bearer === first?.API_Key),
      ),
  }),
  ...rows(['plugin.auth.disabled', 'plugin.auth.key-from-parameter'], {
    'disabled.earlier-key-works-with-the-next The key of the first start works beside the present one.': result(
      'sameKey',
    )((isSame, [given, key], { first }) => isSame || (key !== '' && given !== '' && given === first?.API_Key)),
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
    'start.copy-mode-not-normalized A Copy_N with mode multiplier is listed with mode multiplier.': () =>
      readsCopyAs((value) => value.replace('multiplier', 'mult'), spelled('mode', 'multiplier')),
    'start.copy-direction-not-validated A Copy_N with an unknown direction is loaded and listed as it is written.':
      readsCopyAs((value) => value.replace('both', 'same'), spelled('direction', 'both')),
  }),
]
