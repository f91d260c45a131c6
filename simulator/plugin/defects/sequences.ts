import { type Defect, masked, rows } from './defect.ts'
import { ignores, leaves, removesFrom, stores } from './overrides.ts'

/** Defects that only certain sequences of requests show, while each request alone is served correctly. */
export const sequenceDefects: readonly Defect[] = [
  ...rows('plugin.sequence.list', {
    'delete.every-eighth-removes-two Every eighth DELETE also removes the first rule.': () =>
      leaves((left, _, { removed }) => (removed.length % 8 === 0 ? left.slice(1) : left)),
    'sequence.positions-from-last-read DELETE uses the positions of the last listed list, so a second DELETE removes the wrong rule.':
      removesFrom((_, { listed }) => listed),
    'sequence.delete-after-rejection-does-nothing The first DELETE after a rejected request returns 200 and removes nothing.':
      ({ removeRule, known }) => {
        let answered = 0
        return {
          removeRule: (rules, position) => {
            const isSkipped = known.rejected > answered
            answered = known.rejected
            return isSkipped ? rules : removeRule(rules, position)
          },
        }
      },
    'sequence.new-rule-keeps-direction-of-removed-last-rule The first rule that is added after a DELETE of the last rule gets the direction of the removed one.':
      masked({ 'plugin.add.position': 'start' })(
        stores((rule, _, { changes }) => {
          const last = changes.findLast(({ name, isLast }) => name === 'add-rule' || isLast)
          return last?.name === 'remove-rule' ? { ...rule, direction: last.rule?.direction ?? rule.direction } : rule
        }),
      ),
    'sequence.new-rule-keeps-removed-value A rule that is added directly after a DELETE gets the value of the removed rule.':
      stores((rule, _, { removal }) => ({ ...rule, value: removal?.rule?.value ?? rule.value })),
  }),
  ...[401, 405].flatMap((rejected) =>
    rows('plugin.sequence.list', {
      [`sequence.post-after-${rejected}-lost The first POST after a ${rejected} returns 201 and adds nothing.`]:
        ignores((_, { status }) => status === rejected),
    }),
  ),
]
