/** Headings of `--help`. An option without one stands on the first screen, under `Options:`. */
export const optionGroup = {
  safety: 'Safety:',
  lifeCycle: 'Life cycle of a running server:',
  platform: 'Platform:',
  network: 'Network:',
  report: 'Verdict and report:',
  advanced: 'Advanced:',
} as const
