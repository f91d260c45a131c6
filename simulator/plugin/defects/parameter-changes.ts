import type { Hooks, Override } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import { listensThough } from './5-disabled.ts'
import { type Defect, rows } from './defect.ts'

type Parameters = Readonly<Record<string, string>>

/** A server that remembers the parameters of its first start. Servers are distinguished by their port. */
function remembering(change: (hooks: Hooks, first: () => Parameters) => Partial<Hooks>): Override {
  const known = new Map<string, Parameters>()
  return (hooks) => {
    let first: Parameters = {}
    const wrong = change(hooks, () => first)
    return {
      ...wrong,
      findCopies: (parameters) => {
        const { API_Port = '' } = parameters
        first = known.get(API_Port) ?? parameters
        if (API_Port !== '') known.set(API_Port, first)
        return (wrong.findCopies ?? hooks.findCopies)(parameters)
      },
    }
  }
}

/** A server that reads some `Copy_N` as if another value had been written. */
function readsCopy(change: (value: string) => string, become: (rule: Rule) => Rule): Override {
  return ({ parseCopy }) => ({
    parseCopy: (value) => {
      const changed = change(value)
      return changed === value ? parseCopy(value) : parseCopy(changed)?.map(become)
    },
  })
}

// A C++ server keeps any text here; the type of the simulator has only the documented words.
const spelled = (field: 'mode' | 'direction', word: string) => (rule: Rule) => ({ ...rule, [field]: word }) as Rule

/** Clauses 4.3 and 5: parameters that were changed between two starts, and values that the API would reject. */
export const parameterChangeDefects: readonly Defect[] = [
  ...rows('plugin.auth.disabled', {
    'disabled.earlier-key-still-works': [
      'When API_Key is emptied, the key of the first start still works.',
      remembering(({ sameKey }, first) => ({
        ...listensThough,
        sameKey: (given, key) => (key === '' ? given !== '' && given === first().API_Key : sameKey(given, key)),
      })),
    ],
    'disabled.earlier-key-works-as-bearer': [
      'The key of the first start works as a Bearer token beside the present one.',
      remembering(({ acceptsCredentials }, first) => ({
        acceptsCredentials: (given, isRight) =>
          acceptsCredentials(given, isRight) || (given.bearer !== undefined && given.bearer === first().API_Key),
      })),
    ],
  }),
  ...rows(['plugin.auth.disabled', 'plugin.auth.key-from-parameter'], {
    'disabled.earlier-key-works-with-the-next': [
      'The key of the first start works beside the present one.',
      remembering(({ sameKey }, first) => ({
        sameKey: (given, key) => sameKey(given, key) || (key !== '' && given !== '' && given === first().API_Key),
      })),
    ],
    'disabled.no-key-works-after-a-change': [
      'The key of the first start is checked beside the present one, so none works after a change.',
      remembering(({ sameKey }, first) => ({
        sameKey: (given, key) => sameKey(given, key) && given === first().API_Key,
      })),
    ],
  }),
  ...rows('plugin.start.reset', {
    'start.copies-of-the-first-start': [
      'The Copy_N of the first start are used at every later start.',
      remembering(({ findCopies }, first) => ({ findCopies: () => findCopies(first()) })),
    ],
    'start.removed-copies-stay': [
      'A Copy_N that was removed from the parameters keeps its first value.',
      remembering(({ findCopies }, first) => ({ findCopies: (present) => findCopies({ ...first(), ...present }) })),
    ],
  }),
  ...rows('plugin.rule.fields', {
    'start.copy-with-value-zero': [
      'A Copy_N with value 0 is loaded.',
      readsCopy(
        (value) => value.replace(/([,;])0([,;])/, '$11$2'),
        (rule) => ({ ...rule, value: 0 }),
      ),
    ],
    'start.copy-negative-value-alone': [
      'A Copy_N with a negative value is loaded and listed as it is written, if no other Copy_N is invalid.',
      (hooks) => ({
        ...readsCopy(
          (value) => value.replace(/([,;])-/, '$1'),
          (rule) => ({ ...rule, value: -rule.value }),
        )(hooks),
        joinCopies: (copies) => (copies.some(({ rules }) => rules === undefined) ? [] : hooks.joinCopies(copies)),
      }),
    ],
    'start.copy-mode-as-it-is-written': [
      'A Copy_N with mode multiplier is listed with mode multiplier.',
      readsCopy((value) => value.replace('multiplier', 'mult'), spelled('mode', 'multiplier')),
    ],
    'start.copy-direction-as-it-is-written': [
      'A Copy_N with an unknown direction is loaded and listed as it is written.',
      readsCopy((value) => value.replace('both', 'same'), spelled('direction', 'both')),
    ],
  }),
]
