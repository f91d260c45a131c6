import { updateSettings } from '@clack/prompts'

export { confirm, isCancel, log, select } from '@clack/prompts'

// Ctrl-D closes stdin, so that the question would never be answered and the process would end in the middle of a run.
updateSettings({ aliases: { '\u0004': 'cancel' } })
