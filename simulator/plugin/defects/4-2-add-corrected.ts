import type { Defect } from './defect.ts'
import { lenient } from './lenient.ts'

/** Clauses 4.2 and 7: bodies that are nearly JSON, and are read as what they might have meant. */
export const addCorrectedDefects: readonly Defect[] = [
  {
    id: 'add.first-brace-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Reading begins with the first name, whether a brace stands before it or not.',
    override: lenient((text) => (/^\s*"master"/.test(text) ? `{${text}` : text)),
  },
  {
    id: 'add.missing-comma-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A space between two members is enough.',
    override: lenient((text) => text.replace(/([\d"])\s+"(?=\w+"\s*:)/g, '$1,"')),
  },
  {
    id: 'add.numeral-may-begin-with-point',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Numerals are read with strtod, which knows .5.',
    override: lenient((text) => text.replace(/(:\s*)\.(?=\d)/g, '$10.')),
  },
  {
    id: 'add.numeral-may-end-with-point',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Numerals are read with strtod, which knows 1. as well.',
    override: lenient((text) => text.replace(/(:\s*\d+)\.(?=[,}\s])/g, '$1')),
  },
  {
    id: 'add.numeral-may-have-a-plus',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Numerals are read with strtod, which knows +1.',
    override: lenient((text) => text.replace(/(:\s*)\+(?=\d)/g, '$1')),
  },
]
