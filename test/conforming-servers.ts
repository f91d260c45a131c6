import { fileURLToPath } from 'node:url'
import { programOf } from '../fixtures/programs.ts'
import bareAnswers from '../fixtures/servers/bare/answers.json' with { type: 'json' }
import { compiled } from '../fixtures/servers/compiled.ts'
import plainAnswers from '../fixtures/servers/plain/answers.json' with { type: 'json' }
import threadedAnswers from '../fixtures/servers/threaded/answers.json' with { type: 'json' }
import cAnswers from '../fixtures/servers/wrong-c/answers.json' with { type: 'json' }

const server = (name: string) => `"${fileURLToPath(new URL(`../fixtures/servers/${name}`, import.meta.url))}"`
/**
 * Servers that share no code with the kit. `wrong-c` has no fault here, and is left out without a compiler. `-S -E`
 * makes Python start in a third of the time.
 */
export const conformingServers = [
  { name: 'plain', run: `"${process.execPath}" ${server('plain.mjs')}`, answers: plainAnswers },
  { name: 'bare', run: `"${process.execPath}" ${server('bare.mjs')}`, answers: bareAnswers },
  { name: 'threaded', run: `"${programOf('python3')}" -S -E ${server('threaded')}`, answers: threadedAnswers },
  ...(programOf('gcc') === null
    ? []
    : [{ name: 'wrong-c', run: `"${compiled('wrong-c')}/server"`, answers: cAnswers }]),
]
