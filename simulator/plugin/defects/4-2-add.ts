import { isLosslessNumber } from 'lossless-json'
import { correctsBody, rejectsBody } from '../../defect-parts/json-body.ts'
import { reject } from '../../defect-parts/wire.ts'
import { type Direction, sameContent } from '../model/rule.ts'
import { addAtStart, arrayOf } from '../model/rule-list.ts'
import { type Defect, masked, maskedRows, rows } from './defect.ts'
import { addsTo, ignores, instead, reads, readsNumeral, reportsIndex, result, returnsAdded } from './overrides.ts'
import { whileIn } from './states.ts'

const unsuccessful = returnsAdded(() => ({ success: false }))

const twoValues = /("value":[^,]+),"value":([^,}]+)/

const duplicateDirection = /"direction":"([^"]*)",(?="direction":)/

/** Clause 4.2: valid bodies that must be accepted, the response to them, and what else a POST changes. */
export const addDefects: readonly Defect[] = [
  ...rows('plugin.add.created', {
    'add.returns-200 POST returns 200 instead of 201.': () => ({ addedStatus: 200 }),
    'add.success-as-string success is the string "true".': returnsAdded(() => ({ success: 'true' })),
    'add.index-as-string The index of a new rule is a string.': returnsAdded((_, index) => ({ index: String(index) })),
    'add.value-above-1000-rejected A value above 1000 is rejected.': () =>
      readsNumeral((text) => (Number(text) > 1000 ? '0' : text)),
    'add.value-above-1000-rejected-with-multiplier With the mode multiplier a value above 1000 is rejected.': reads(
      'value',
      (value, { mode }) =>
        mode === 'multiplier' && isLosslessNumber(value) && Number(value.value) > 1000
          ? reject(400, 'The value is too large.')
          : value,
    ),
    'add.response-swaps-logins The response to a POST swaps master and follower.': () =>
      returnsAdded(({ master, follower }) => ({ master: follower, follower: master })),
  }),
  ...rows('plugin.success-is-true', {
    'add.success-is-false success is false in the response to a successful POST.': unsuccessful,
    'add.first-success-is-false success is false in the response to a POST that adds the first rule of the list.':
      whileIn('empty', unsuccessful),
    'add.first-success-is-zero success is 0 in the response to a POST that adds the first rule of the list.': whileIn(
      'empty',
      returnsAdded(() => ({ success: 0 })),
    ),
  }),
  ...rows(['plugin.add.created', 'plugin.add.index-of-new-rule'], {
    'add.without-index The response to a POST does not contain the index of the new rule.': () =>
      returnsAdded(() => ({ index: undefined })),
  }),
  ...rows('plugin.add.index-of-new-rule', {
    'add.returned-index-is-total The returned index is the length of the list after the POST: one too high.':
      reportsIndex((index, [position, total]) => index - position + total),
    'add.returned-index-counts-additions The returned index increases by one with each POST, regardless of removals.':
      reportsIndex(
        (index, [position], { changes, added }) =>
          index - position + (changes.find(({ name }) => name === 'add-rule')?.position ?? position) + added.size - 1,
      ),
    'add.inserted-first-with-last-index A new rule is inserted first, but the returned index is that of the last rule.':
      ({ indexOf }) => ({ addRule: addAtStart, reportedIndex: (_, total) => indexOf(total - 1) }),
  }),
  ...maskedRows({ 'plugin.body.unknown-member': 'refused' }, 'plugin.add.index-of-new-rule', {
    'add.index-member-sets-position An extra field index of the body is the position of the new rule, but the returned index is the usual one.':
      result('addRule')((added, [rules, rule], { members }) => {
        const index = Number(members.index)
        return Number.isNaN(index) ? added : { ...added, rules: rules.toSpliced(index, 0, rule) }
      }),
    'add.index-member-replaces-rule With an extra field index in the body, the new rule replaces the one at that index.':
      instead('addRule', ({ addRule, positionOf, known }, rules, rule) => {
        const position = positionOf(Number(known.members.index))
        return arrayOf(rules)[position] === undefined
          ? addRule(rules, rule)
          : { rules: rules.with(position, rule), position }
      }),
  }),
  ...rows('plugin.add.leaves-others', {
    'add.removed-rule-not-readded A POST of a rule that was removed before returns 201 and adds nothing.': () =>
      ignores((rule, known) => known.removed.some((removed) => sameContent(removed, rule))),
    'add.sixth-rule-drops-fifth When a sixth rule is added, the fifth is lost.': () =>
      addsTo((rules) => (rules.length === 5 ? rules.slice(0, 4) : rules)),
  }),
  ...rows(['plugin.list.all-active', 'plugin.add.leaves-others'], {
    'add.stored-twice Each new rule is stored twice.': addsTo((rules, [, rule]) => [...rules, rule]),
    'add.halves-previous-value A POST halves the value of the previous rule.': masked([
      { answers: { 'plugin.add.position': 'start' }, from: ['plugin.list.all-active'] },
    ])(
      addsTo((rules) => [
        ...rules.slice(0, -1),
        ...rules.slice(-1).map((rule) => ({ ...rule, value: rule.value / 2 })),
      ]),
    ),
  }),
  ...rows(['plugin.add.leaves-others', 'plugin.sequence.list'], {
    'add.reverses-others Each POST reverses the order of the other rules.': addsTo((rules) => rules.toReversed()),
  }),
  ...rows('plugin.add.documented-words', {
    'add.only-multiplier-accepted The mode mult is rejected; only multiplier is accepted.': () =>
      reads('mode', (value) => (value === 'mult' ? reject(400, 'mode must be "multiplier" or "fixed".') : value)),
    'add.multiplier-rejected The alias multiplier is rejected.': () =>
      reads('mode', (value) => (value === 'multiplier' ? reject(400, 'mode must be "mult" or "fixed".') : value)),
    'add.fixed-rejected The mode fixed is rejected as not licensed.': () =>
      reads('mode', (value) => (value === 'fixed' ? reject(403, 'Fixed lots are not licensed.') : value)),
    'add.direct-instead-of-same The direction same is rejected; the server expects direct.': reads(
      'direction',
      (value) => (value === 'same' ? reject(400, 'direction must be "direct" or "reverse".') : value),
    ),
    'add.inverse-instead-of-reverse The direction reverse is rejected; the server expects inverse.': reads(
      'direction',
      (value) => (value === 'reverse' ? reject(400, 'direction must be "same" or "inverse".') : value),
    ),
  }),
  ...rows('plugin.rule.as-sent', {
    'add.reverse-stored-as-same The direction reverse is stored as same.': result('readDirection')(() => 'same'),
    'add.value-before-mode-reset Reading the mode resets the value to 1, so a value before the mode is lost.':
      correctsBody((text) => text.replace(/("value"\s*:\s*)[^\s,]+(?=.*"mode")/s, '$11')),
  }),
  ...rows('plugin.add.any-json-spelling', {
    'add.escapes-not-decoded The escape \\u0061 is not decoded.': () =>
      correctsBody((text) => text.replaceAll('\\u', '\\\\u')),
    'add.escapes-in-names-not-decoded Escapes in the names of members are not decoded.': () =>
      correctsBody((text) => text.replace(/"[^"]*"(?=\s*:)/g, (name) => name.replaceAll('\\u', '\\\\u'))),
    'add.exponent-dropped The exponent of a value is dropped: 15e-1 becomes 15.': () =>
      readsNumeral((text) => text.replace(/e.*/i, '')),
    'add.trailing-zero-rejected A value is accepted only in the spelling that the server itself writes.': () =>
      readsNumeral((text) => (String(Number(text)) === text ? text : reject(400, 'value must be a number.'))),
  }),
  ...rows('plugin.add.any-json-spelling', rejectsBody, {
    'add.member-order-fixed The members of the body must be in the order from master to direction.': (text) =>
      text.indexOf('"direction"') < text.indexOf('"value"'),
    'add.space-before-colon-rejected White space before a colon is rejected.': (text) => /"\s+:/.test(text),
    'add.carriage-return-rejected A carriage return between the parts of a body is rejected.': (text) =>
      text.includes('\r'),
    'add.escape-in-upper-case-rejected An escape with a digit in upper case is rejected.': (text) =>
      /\\u\d*[A-F]/.test(text),
    'add.body-of-1-kib-rejected A body of exactly 1 KiB loses its last byte, and is rejected if that is the brace.': (
      text,
    ) => text.length === 1_024 && text.endsWith('}'),
    'add.exponent-with-plus-rejected An exponent with a plus is rejected.': (text) => /E\+/i.test(text),
  }),
  ...rows('plugin.rule.fields', {
    'add.first-of-two-values-checked Of two fields value the first is checked and the last is stored, so a negative value is listed.':
      ({ parseJson, fitValue, known }) => ({
        parseJson: (text) => parseJson(text.replace(twoValues, '$1')),
        fitValue: (value) => {
          const second = twoValues.exec(known.text)?.[2]
          return second === undefined ? fitValue(value) : Number(second)
        },
      }),
    'add.last-of-two-directions-checked Of two fields direction the last is checked and the first is stored, so an undocumented one is listed.':
      ({ parseJson, readDirection, known }) => ({
        parseJson: (text) => parseJson(text.replace(duplicateDirection, '')),
        // The simulator's type allows only the two documented directions.
        readDirection: (value) =>
          (readDirection(value) && (duplicateDirection.exec(known.text)?.[1] ?? value)) as Direction,
      }),
  }),
]
