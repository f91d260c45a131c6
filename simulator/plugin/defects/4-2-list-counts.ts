import type { Defect } from './defect.ts'
import { withMembers } from './wire.ts'

/** Clause 4.2: how much of the list is shown, and what is said about it. */
export const listCountDefects: readonly Defect[] = [
  {
    id: 'list.cut-after-seven',
    breaks: ['plugin.list.all-active'],
    summary: 'The list shows at most seven rules, with the correct total.',
    override: ({ listBody }) => ({
      listBody: (rules) => withMembers(listBody(rules), { rules: rules.slice(0, 7) }),
    }),
  },
  {
    id: 'list.each-fourth-reading-turns-it',
    breaks: ['plugin.list.reading-changes-nothing'],
    summary: 'Every fourth GET lists the first rule last.',
    override: ({ writtenList, listBody }) => {
      let readings = 0
      return {
        writtenList: (_, write) => writtenList(undefined, write),
        listBody: (rules) => {
          readings++
          return listBody(readings % 4 === 0 ? [...rules.slice(1), ...rules.slice(0, 1)] : rules)
        },
      }
    },
  },
  {
    id: 'list.total-without-rules-of-the-file',
    breaks: ['plugin.list.total'],
    summary: 'total counts only the rules added since the start, not those of the file.',
    override: ({ decodeFile, listBody }) => {
      let loaded = 0
      return {
        decodeFile: (bytes) => {
          const rules = decodeFile(bytes)
          loaded = rules.length
          return rules
        },
        listBody: (rules) => withMembers(listBody(rules), { total: Math.max(0, rules.length - loaded) }),
      }
    },
  },
  {
    id: 'status.rules-of-the-file-not-counted',
    breaks: ['plugin.status.rules-loaded-is-total'],
    summary: 'rules_loaded counts the rules of Copy_N and the added ones, but not those of the file.',
    override: ({ decodeFile, statusBody }) => {
      let loaded = 0
      return {
        decodeFile: (bytes) => {
          const rules = decodeFile(bytes)
          loaded = rules.length
          return rules
        },
        statusBody: (facts) =>
          withMembers(statusBody(facts), { rules_loaded: Math.max(0, facts.rules.length - loaded) }),
      }
    },
  },
]
