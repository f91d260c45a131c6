import { expected, required, requirements, robustness } from '../../clause.ts'

export const persistenceRequirements = requirements('4.3 rule 1', {
  'plugin.persist.list': required(
    'A stop and a start change nothing in the list, whatever was added, removed or rejected before.',
    'Maintenance changes who copies whom.',
  ),
  'plugin.persist.file-name': required(
    'Rules are saved to a file named ServiceCopyTrade_rules.dat.',
    'Backups and resets that follow the documentation use the wrong file.',
  ),
  'plugin.persist.survives-crash': robustness(
    'A process that is killed restarts with every acknowledged change and no partial change.',
    'After a power failure, rules are missing, removed ones trade again, or rules have only part of their settings.',
  ),
  'plugin.start.file-wins': required(
    'If the rules file exists, also one with zero rules, rules load from it and not from Copy_N.',
    'Old parameters bring back removed rules.',
    '4.3 rule 2',
  ),
  'plugin.start.parameters': required(
    'Without a rules file, rules load from the Copy_N parameters; without these too, the list is empty.',
    'A fresh installation copies nothing, or trades rules that were never configured.',
    '4.3 rule 2',
  ),
  'plugin.start.all-parameters': expected(
    'Every Copy_N with a numeric suffix is loaded, one rule for each of its followers, and no other parameter.',
    'Followers that the administrator listed do not trade, or others that were switched off still do.',
    '4.3 rule 2',
  ),
  'plugin.start.parameters-can-be-changed': required(
    'Rules that were loaded from Copy_N can be removed, and further rules added, through the API.',
    'Rules from the parameters can never be removed.',
  ),
  'plugin.start.reset': required(
    'After the rules file is deleted, also while the plugin runs, and the plugin is restarted, rules load from Copy_N again.',
    'The documented reset does not work.',
    '4.3 rule 3',
  ),
})
