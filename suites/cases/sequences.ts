import type { Check } from '../engine/check.ts'
import { expectSequencesFollowed, mostWritesOf } from '../sequences/follow.ts'

/** How many sequences are drawn in a run that is not thorough. */
const sequences = { onTheTarget: 4, onOwnServer: 6 } as const

/** Random sequences of requests, against what the rules of clause 4.2 say that they leave. */
export const sequenceChecks: readonly Check[] = [
  {
    id: 'CT-981',
    requirement: 'plugin.sequence.list',
    title: 'random sequences of additions, removals, looks and refused requests leave the list that they must leave',
    risk: 'write',
    mostWrites: (thorough) => mostWritesOf(sequences.onTheTarget * thorough),
    run: ({ plugin, rules, owned, seed, thorough }) =>
      expectSequencesFollowed(
        { plugin, rules, restart: null, startAnew: null, alone: owned },
        { seed, sequences: sequences.onTheTarget * thorough },
      ),
  },
  {
    id: 'CT-982',
    requirement: 'plugin.sequence.across-restarts',
    title: 'random sequences of changes with restarts between them leave the list that they leave without',
    risk: 'write',
    needs: ['launch', 'rules-file'],
    async run({ prepare, seed, thorough }) {
      const server = await prepare({ copy: { Copy_1: '1001>2001,mult,1.5,same' } })
      const startAnew = async () => {
        await server.stop()
        await server.deleteRulesFile()
        await server.start()
      }
      const drawn = { seed, sequences: sequences.onOwnServer * thorough }
      await expectSequencesFollowed({ ...server, startAnew, alone: true }, drawn)
    },
  },
]
