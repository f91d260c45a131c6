import type { RuleList } from '../model/rule-list.ts'
import { type Defect, rows } from './defect.ts'
import { given, knowing } from './known.ts'
import { stores } from './overrides.ts'

const nothing = async () => undefined

/** What goes wrong only after certain requests in a certain order, each of which is served rightly by itself. */
export const sequenceDefects: readonly Defect[] = [
  ...rows('plugin.sequence.list', {
    'sequence.positions-as-they-were-listed': [
      'DELETE uses the positions of the last listed list, so a second DELETE removes the wrong rule.',
      ({ writtenList, addRule, removeRule }) => {
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
    ],
    'sequence.removal-after-a-refusal-does-nothing': [
      'The first DELETE after a rejected request returns 200 and removes nothing.',
      knowing(({ removeRule }, known) => {
        let answered = 0
        return {
          removeRule: (rules, position) => {
            const isSkipped = known.rejected > answered
            answered = known.rejected
            return isSkipped ? rules : removeRule(rules, position)
          },
        }
      }),
    ],
    'sequence.place-of-a-removed-rule-not-cleared': [
      'A rule that is added directly after a DELETE gets the value of the removed rule.',
      given((known) => stores((rule) => ({ ...rule, value: known.removal?.rule?.value ?? rule.value }))),
    ],
  }),
  ...rows('plugin.persist.list', {
    'sequence.first-change-after-a-start-not-saved': [
      'The first change after a start is saved only with the next one.',
      ({ decodeFile, save }) => {
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
    ],
  }),
  ...[401, 405].flatMap((rejected) =>
    rows('plugin.sequence.list', {
      [`sequence.addition-after-a-${rejected}-is-lost`]: [
        `The first POST after a ${rejected} returns 201 and adds nothing.`,
        ({ finish, addRule }) => {
          let isSkipped = false
          return {
            finish: (response, request) => {
              isSkipped = response.status === rejected
              return finish(response, request)
            },
            addRule: (rules, rule) => (isSkipped ? { rules, position: rules.length } : addRule(rules, rule)),
          }
        },
      ],
    }),
  ),
]
