// Loaded with `--import`: adds to the file $CLASSES a line for each request that this process sends: what it is for,
// read off the functions of the kit that send it.
import { appendFileSync } from 'node:fs'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'

/** The first that fits; the stack has the innermost function first. */
const classes = [
  ['cleanUp', /\b(settle|restoreList|releaseFiller)\b/],
  ['before', /\breadBefore\b/],
  ['after', /\breadList\b.*\bsendAndVerify\b/s],
  ['arrange', /\b(arrange|arranged|offer|clear)\b/],
  ['act', /\bjudgedByRun\b/],
]

Error.stackTraceLimit = 100
const send = http.request
http.request = (...given) => {
  const { stack } = new Error('sent')
  const [name] = classes.find(([, functions]) => functions.test(stack)) ?? ['other']
  appendFileSync(process.env.CLASSES, `${name}\n`)
  return send(...given)
}
syncBuiltinESMExports()
