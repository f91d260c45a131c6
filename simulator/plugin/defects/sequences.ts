import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'

const nothing = async () => undefined

/** What goes wrong only after certain requests in a certain order, each of which is served rightly by itself. */
export const sequenceDefects: readonly Defect[] = [
  {
    id: 'sequence.positions-as-they-were-listed',
    breaks: ['plugin.sequence.list'],
    summary: 'DELETE uses the positions of the last listed list, so a second DELETE removes the wrong rule.',
    override: ({ writtenList, addRule, removeRule }) => {
      let listed: RuleList | undefined
      return {
        writtenList: (cached, write) => {
          listed = undefined
          return writtenList(cached, write)
        },
        addRule: (rules, rule) => {
          listed = undefined
          return addRule(rules, rule)
        },
        removeRule: (rules, position) => {
          listed ??= rules
          const meant = listed[position]
          return removeRule(rules, meant !== undefined && rules.includes(meant) ? rules.indexOf(meant) : position)
        },
      }
    },
  },
  {
    id: 'sequence.removal-after-a-refusal-does-nothing',
    breaks: ['plugin.sequence.list'],
    summary: 'The first DELETE after a rejected request returns 200 and removes nothing.',
    override: ({ errorBody, removeRule }) => {
      let refused = false
      return {
        errorBody: (message, status) => {
          refused = true
          return errorBody(message, status)
        },
        removeRule: (rules, position) => {
          const isSkipped = refused
          refused = false
          return isSkipped ? rules : removeRule(rules, position)
        },
      }
    },
  },
  {
    id: 'sequence.place-of-a-removed-rule-not-cleared',
    breaks: ['plugin.sequence.list'],
    summary: 'A rule that is added directly after a DELETE gets the value of the removed rule.',
    override: ({ addRule, removeRule }) => {
      let removed: Rule | undefined
      return {
        removeRule: (rules, position) => {
          removed = rules[position]
          return removeRule(rules, position)
        },
        addRule: (rules, rule) => {
          const value = removed?.value ?? rule.value
          removed = undefined
          return addRule(rules, { ...rule, value })
        },
      }
    },
  },
  {
    id: 'sequence.first-change-after-a-start-not-saved',
    breaks: ['plugin.persist.list'],
    summary: 'The first change after a start is saved only with the next one.',
    override: ({ decodeFile, save }) => {
      let isFirst = false
      return {
        decodeFile: (bytes) => {
          isFirst = true
          return decodeFile(bytes)
        },
        save: (write, change) => {
          const isLost = isFirst
          isFirst = false
          return isLost ? nothing() : save(write, change)
        },
      }
    },
  },
  ...[401, 405].map(
    (rejected): Defect => ({
      id: `sequence.addition-after-a-${rejected}-is-lost`,
      breaks: ['plugin.sequence.list'],
      summary: `The first POST after a ${rejected} returns 201 and adds nothing.`,
      override: ({ finish, addRule }) => {
        let isSkipped = false
        return {
          finish: (response, request) => {
            isSkipped = response.status === rejected
            return finish(response, request)
          },
          addRule: (rules, rule) => (isSkipped ? { rules, position: rules.length } : addRule(rules, rule)),
        }
      },
    }),
  ),
]
