import type { Requirement } from '../../requirement.ts'

export const persistenceRequirements = [
  {
    id: 'plugin.persist.list',
    clause: '4.3 rule 1',
    level: 'required',
    statement: 'A stop and a start change nothing in the list, whatever was added, removed or rejected before.',
    consequence: 'Maintenance changes who copies whom.',
  },
  {
    id: 'plugin.persist.file-name',
    clause: '4.3 rule 1',
    level: 'required',
    statement: 'Rules are saved to a file named ServiceCopyTrade_rules.dat.',
    consequence: 'Backups and resets that follow the documentation use the wrong file.',
  },
  {
    id: 'plugin.persist.survives-crash',
    clause: '4.3 rule 1',
    level: 'robustness',
    statement: 'A process that is killed restarts with every acknowledged change and no partial change.',
    consequence:
      'After a power failure, rules are missing, removed ones trade again, or rules have only part of their settings.',
  },
  {
    id: 'plugin.start.file-wins',
    clause: '4.3 rule 2',
    level: 'required',
    statement: 'If the rules file exists, also one with zero rules, rules load from it and not from Copy_N.',
    consequence: 'Old parameters bring back removed rules.',
  },
  {
    id: 'plugin.start.parameters',
    clause: '4.3 rule 2',
    level: 'required',
    statement: 'Without a rules file, rules load from the Copy_N parameters; without these too, the list is empty.',
    consequence: 'A fresh installation copies nothing, or trades rules that were never configured.',
  },
  {
    id: 'plugin.start.all-parameters',
    clause: '4.3 rule 2',
    level: 'expected',
    statement:
      'Every Copy_N with a numeric suffix is loaded, one rule for each of its followers, and no other parameter.',
    consequence: 'Followers that the administrator listed do not trade, or others that were switched off still do.',
  },
  {
    id: 'plugin.start.parameters-can-be-changed',
    clause: '4.3 rule 1',
    level: 'required',
    statement: 'Rules that were loaded from Copy_N can be removed, and further rules added, through the API.',
    consequence: 'Rules from the parameters can never be removed.',
  },
  {
    id: 'plugin.start.reset',
    clause: '4.3 rule 3',
    level: 'required',
    statement:
      'After the rules file is deleted, also while the plugin runs, and the plugin is restarted, rules load from Copy_N again.',
    consequence: 'The documented reset does not work.',
  },
] as const satisfies readonly Requirement[]
