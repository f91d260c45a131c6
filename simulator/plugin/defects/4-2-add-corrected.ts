import type { Defect } from './defect.ts'
import { lenient } from './lenient.ts'

/** Clauses 4.2 and 7: bodies that are nearly JSON, and are read as what they might have meant. */
export const addCorrectedDefects: readonly Defect[] = [
  {
    id: 'add.first-brace-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A missing opening brace is accepted.',
    override: lenient((text) => (/^\s*"master"/.test(text) ? `{${text}` : text)),
  },
  {
    id: 'add.missing-comma-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A missing comma between two members is accepted.',
    override: lenient((text) => text.replace(/([\d"])\s+"(?=\w+"\s*:)/g, '$1,"')),
  },
  {
    id: 'add.numeral-may-begin-with-point',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A number like .5 is accepted.',
    override: lenient((text) => text.replace(/(:\s*)\.(?=\d)/g, '$10.')),
  },
  {
    id: 'add.numeral-may-end-with-point',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A number like 1. is accepted.',
    override: lenient((text) => text.replace(/(:\s*\d+)\.(?=[,}\s])/g, '$1')),
  },
  {
    id: 'add.numeral-may-have-a-plus',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A number like +1 is accepted.',
    override: lenient((text) => text.replace(/(:\s*)\+(?=\d)/g, '$1')),
  },
]
