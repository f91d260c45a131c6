import { Help, type Option } from 'commander'

/** The widest term that shares a line with its description. */
const maxTermWidth = 24

/** The layout of `--help`, for all commands. */
export const helpLayout: Partial<Help> = {
  // Without a limit, one long option would squeeze the descriptions of all others.
  padWidth(command, helper) {
    const width = Help.prototype.padWidth.call(helper, command, helper)
    return Math.min(width, maxTermWidth)
  },
  formatItem(term, termWidth, description, helper) {
    const format = (shown: string) => Help.prototype.formatItem.call(helper, shown, termWidth, description, helper)
    return term.length <= termWidth ? format(term) : `  ${term}\n${format('')}`
  },
  optionDescription(option) {
    return isUnset(option) ? option.description : Help.prototype.optionDescription.call(this, option)
  },
}

/** Whether the default says nothing: a switch that is off, an empty list. */
function isUnset({ defaultValue }: Option): boolean {
  return typeof defaultValue === 'object' && defaultValue !== null
    ? Object.keys(defaultValue).length === 0
    : defaultValue === false
}
