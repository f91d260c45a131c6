import type { Hooks } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import type { Defect } from './defect.ts'

type Parameters = Readonly<Record<string, string>>

/** A server that remembers the parameters of its first start. Servers are distinguished by their port. */
function remembering(change: (hooks: Hooks, first: () => Parameters) => Partial<Hooks>): Defect['override'] {
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
function readsCopy(change: (value: string) => string, become: (rule: Rule) => Rule): Defect['override'] {
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
  {
    id: 'disabled.earlier-key-still-works',
    breaks: ['plugin.auth.disabled'],
    summary: 'When API_Key is emptied, the key of the first start still works.',
    override: remembering(({ sameKey }, first) => ({
      listensWhenDisabled: true,
      acceptsWhenDisabled: true,
      rejectWhenDisabled: () => undefined,
      sameKey: (given, key) => (key === '' ? given !== '' && given === first().API_Key : sameKey(given, key)),
    })),
  },
  {
    id: 'disabled.earlier-key-works-with-the-next',
    breaks: ['plugin.auth.disabled', 'plugin.auth.key-from-parameter'],
    summary: 'The key of the first start works beside the present one.',
    override: remembering(({ sameKey }, first) => ({
      sameKey: (given, key) => sameKey(given, key) || (key !== '' && given !== '' && given === first().API_Key),
    })),
  },
  {
    id: 'disabled.earlier-key-works-as-bearer',
    breaks: ['plugin.auth.disabled'],
    summary: 'The key of the first start works as a Bearer token beside the present one.',
    override: remembering(({ acceptsCredentials }, first) => ({
      acceptsCredentials: (given, isRight) =>
        acceptsCredentials(given, isRight) || (given.bearer !== undefined && given.bearer === first().API_Key),
    })),
  },
  {
    id: 'disabled.no-key-works-after-a-change',
    breaks: ['plugin.auth.disabled', 'plugin.auth.key-from-parameter'],
    summary: 'The key of the first start is checked beside the present one, so none works after a change.',
    override: remembering(({ sameKey }, first) => ({
      sameKey: (given, key) => sameKey(given, key) && given === first().API_Key,
    })),
  },
  {
    id: 'start.copies-of-the-first-start',
    breaks: ['plugin.start.reset'],
    summary: 'The Copy_N of the first start are used at every later start.',
    override: remembering(({ findCopies }, first) => ({ findCopies: () => findCopies(first()) })),
  },
  {
    id: 'start.removed-copies-stay',
    breaks: ['plugin.start.reset'],
    summary: 'A Copy_N that was removed from the parameters keeps its first value.',
    override: remembering(({ findCopies }, first) => ({
      findCopies: (parameters) => findCopies({ ...first(), ...parameters }),
    })),
  },
  {
    id: 'start.copy-with-value-zero',
    breaks: ['plugin.rule.fields'],
    summary: 'A Copy_N with value 0 is loaded.',
    override: readsCopy(
      (value) => value.replace(/([,;])0([,;])/, '$11$2'),
      (rule) => ({ ...rule, value: 0 }),
    ),
  },
  {
    id: 'start.copy-negative-value-alone',
    breaks: ['plugin.rule.fields'],
    summary: 'A Copy_N with a negative value is loaded and listed as it is written, if no other Copy_N is invalid.',
    override: (hooks) => ({
      ...readsCopy(
        (value) => value.replace(/([,;])-/, '$1'),
        (rule) => ({ ...rule, value: -rule.value }),
      )(hooks),
      joinCopies: (copies) => (copies.some(({ rules }) => rules === undefined) ? [] : hooks.joinCopies(copies)),
    }),
  },
  {
    id: 'start.copy-mode-as-it-is-written',
    breaks: ['plugin.rule.fields'],
    summary: 'A Copy_N with mode multiplier is listed with mode multiplier.',
    override: readsCopy((value) => value.replace('multiplier', 'mult'), spelled('mode', 'multiplier')),
  },
  {
    id: 'start.copy-direction-as-it-is-written',
    breaks: ['plugin.rule.fields'],
    summary: 'A Copy_N with an unknown direction is loaded and listed as it is written.',
    override: readsCopy((value) => value.replace('both', 'same'), spelled('direction', 'both')),
  },
]
