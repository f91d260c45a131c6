// Loaded with `--import`: appends a line to the file $CLASSES for each request that this process sends: its purpose,
// derived from the functions of the kit that send it.
import { appendFileSync } from 'node:fs'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'

/** The first match counts; the stack has the innermost function first. */
const classes = [
  ['cleanUp', /\b(cleanUpAfterCheck|restoreList|removeFillRules)\b/],
  ['before', /\breadBefore\b/],
  ['after', /\breadList\b.*\bsendAndVerify\b/s],
  ['arrange', /\b(arrange|arranged|offer|clear)\b/],
  ['act', /\b(judgedByRun|read)\b/],
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
