// Preloaded with `--import`: disturbs only the worker thread, in the way that TRAP names.
import { subscribe } from 'node:diagnostics_channel'
import { isMainThread } from 'node:worker_threads'

const traps = {
  exit: () => process.exit(0),
  error: () => {
    throw new Error('planted')
  },
  secret: () => {
    throw new Error('the key is a-key-for-tests')
  },
  rejection: () => {
    void Promise.reject(new Error('planted'))
  },
  memory: () => {
    const hoard = []
    for (;;) hoard.push(new Array(100_000).fill(hoard.length))
  },
  block: () => {
    // Blocks the thread without using CPU time that other tests need.
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  },
}

const trap = traps[process.env.TRAP]
if (!isMainThread && trap !== undefined) {
  // The first request shows that a check is running, however long the thread took to start.
  subscribe('http.client.request.start', () => setTimeout(trap, 100).unref())
}
