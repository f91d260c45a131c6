import type { Defect } from './defect.ts'
import { lenient } from './lenient.ts'

/** Clauses 4.2 and 7: bodies that are nearly JSON, and are read as what they might have meant. */
export const addCorrectedDefects: readonly Defect[] = [
  {
    id: 'add.first-brace-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Parsing starts at the first field name, with or without an opening brace.',
    override: lenient((text) => (/^\s*"master"/.test(text) ? `{${text}` : text)),
  },
  {
    id: 'add.missing-comma-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A space between two fields is accepted instead of a comma.',
    override: lenient((text) => text.replace(/([\d"])\s+"(?=\w+"\s*:)/g, '$1,"')),
  },
  {
    id: 'add.numeral-may-begin-with-point',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Numbers are parsed with strtod, which accepts .5.',
    override: lenient((text) => text.replace(/(:\s*)\.(?=\d)/g, '$10.')),
  },
  {
    id: 'add.numeral-may-end-with-point',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Numbers are parsed with strtod, which accepts 1. too.',
    override: lenient((text) => text.replace(/(:\s*\d+)\.(?=[,}\s])/g, '$1')),
  },
  {
    id: 'add.numeral-may-have-a-plus',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Numbers are parsed with strtod, which accepts +1.',
    override: lenient((text) => text.replace(/(:\s*)\+(?=\d)/g, '$1')),
  },
]
