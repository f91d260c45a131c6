// Runs command lines one after the other in one process, so that the product is loaded and compiled only once.
// `test/command.ts` starts it and sends the command lines.
import { pathToFileURL } from 'node:url'

const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'exit']
let count = 0

process.on('disconnect', () => process.exit())
process.on('message', async ({ main, args, env, cwd }) => {
  const output = { stdout: '', stderr: '' }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.argv = [process.execPath, main, ...args]
  process.exitCode = 0
  const restore = ['stdout', 'stderr'].map((name) => capture(name, (text) => (output[name] += text)))
  count += 1
  // The query makes it a different module, which runs again. The modules that it imports stay loaded.
  await import(`${pathToFileURL(main)}?run=${count}`)
  const code = process.exitCode
  for (const end of process.listeners('exit')) end(code)
  for (const name of events) process.removeAllListeners(name)
  for (const stop of restore) stop()
  process.exitCode = 0
  process.send({ code, ...output })
})

/** Collects what is written to a stream of this process. Returns a function that stops collecting. */
function capture(name, collect) {
  const stream = process[name]
  const { write } = stream
  const before = stream.listeners('error')
  stream.write = (chunk, encoding, done) => {
    collect(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const callback = typeof encoding === 'function' ? encoding : done
    if (callback !== undefined) process.nextTick(callback)
    return true
  }
  return () => {
    stream.write = write
    for (const listener of stream.listeners('error')) if (!before.includes(listener)) stream.off('error', listener)
  }
}
