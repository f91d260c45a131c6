import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'

/** An address at which a process listens for TCP connections. */
export interface Listener {
  /** An IPv6 address is in brackets. */
  readonly address: string
  readonly port: number
}

export interface Process {
  readonly pid: number
  readonly name: string
}

/** A command of the kit. Its processes are in its group, descend from it, or have its data folder in the environment. */
export interface Started {
  readonly group: number
  readonly folder: string
}

/** Where these processes listen. Null if unknown: without `/proc`, and for processes of other users. */
export function listenersOf(processes: readonly Process[]): readonly Listener[] | null {
  if (!isKnown || processes.some(({ pid }) => isHidden(pid))) return null
  const sockets = new Set(processes.flatMap(({ pid }) => socketsOf(pid)))
  return [...listeningSockets()].filter(({ inode }) => sockets.has(inode))
}

/** Where processes in the same network namespace listen, such as those of a container. Null as above. */
export function listenersInNetworkOf(pid: number): readonly Listener[] | null {
  return isKnown && existsSync(`/proc/${pid}/net/tcp`) ? [...listeningSockets(String(pid))] : null
}

/** The ports that connections that have ended still hold (TIME_WAIT), so that some servers cannot listen there. */
export function portsOfEndedConnections(): ReadonlySet<number> {
  const tables = ['tcp', 'tcp6'].map((table) => read(`/proc/self/net/${table}`)).join('')
  const ended = tables.matchAll(new RegExp(`^ *\\d+: \\w+:(\\w+) \\S+ ${endedState} `, 'gm'))
  return new Set(Array.from(ended, ([, port = '']) => Number.parseInt(port, 16)))
}

/** The processes of a command, the earliest first. */
export function processesOf({ group, folder }: Started): readonly (Process & { readonly group: number })[] {
  const own = new Set<number>([group])
  return allProcesses().filter(({ pid, parent, group: its }) => {
    const variables = () => read(`/proc/${pid}/environ`).split('\0')
    const isOwn = its === group || own.has(parent) || variables().includes(`TCK_DATA_DIR=${folder}`)
    if (isOwn) own.add(pid)
    return isOwn
  })
}

/** The process that listens on a port of 127.0.0.1 and does not belong to the command; null for none or if unknown. */
export function foreignListener(port: number, started: Started | null): Process | null {
  if (!isKnown) return null
  const inodes = new Set<string>()
  const holds = ({ pid }: { readonly pid: number }) => socketsOf(pid).some((inode) => inodes.has(inode))
  for (const listener of listeningSockets()) {
    if (listener.port !== port || !isReachable(listener)) continue
    inodes.add(listener.inode)
    // Most commands are the server itself. To read on takes long, and so does a scan of all processes.
    if (started !== null && holds({ pid: started.group })) return null
  }
  if (inodes.size === 0 || (started !== null && processesOf(started).some(holds))) return null
  return allProcesses().find(holds) ?? null
}

/** Whether connections to 127.0.0.1 reach it. */
export function isReachable({ address }: Listener): boolean {
  return ['127.0.0.1', '0.0.0.0', '[::]', '[::ffff:7f00:1]'].includes(address)
}

const isKnown = existsSync('/proc/net/tcp')

/** In the tables of the kernel: the states LISTEN and TIME_WAIT, and what is above the states in the first line. */
const listenState = '0A'
const endedState = '06'
const stateHeading = 'st'

/** The kernel lists listening sockets first. The rest can be thousands of lines, which take long to read. */
function* listeningSockets(process = 'self'): Generator<Listener & { readonly inode: string }> {
  for (const table of ['tcp', 'tcp6']) {
    for (const line of linesOf(`/proc/${process}/net/${table}`)) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
      if (state === stateHeading) continue
      if (state !== listenState) break
      const [address = '', port = ''] = local.split(':')
      yield { address: addressOf(address), port: Number.parseInt(port, 16), inode }
    }
  }
}

/** The lines of a file, read on demand. None if it cannot be read. */
function* linesOf(path: string): Generator<string> {
  const file = attempt(() => openSync(path, 'r'), null)
  if (file === null) return
  try {
    const chunk = Buffer.alloc(chunkSize)
    let incomplete = ''
    for (;;) {
      const size = attempt(() => readSync(file, chunk), 0)
      const lines = (incomplete + chunk.toString('latin1', 0, size)).split('\n')
      incomplete = lines.pop() ?? ''
      yield* lines
      if (size === 0) return
    }
  } finally {
    closeSync(file)
  }
}

/** Less than a line, since the kernel searches for as many lines as are asked for. */
const chunkSize = 128

/** The kernel prints an address as 32-bit words in the byte order of the machine. */
function addressOf(hex: string): string {
  const bytes = Buffer.concat((hex.match(/.{8}/g) ?? []).map((word) => Buffer.from(word, 'hex').reverse()))
  if (bytes.length === 4) return bytes.join('.')
  const groups = bytes.toString('hex').match(/.{4}/g) ?? []
  // The URL parser of Node.js returns the usual short form.
  return new URL(`http://[${groups.join(':')}]`).hostname
}

function allProcesses() {
  const pids = isKnown ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return pids.flatMap((pid) => {
    // The name is in parentheses and may contain any character.
    const [, name = '', state, parent, group] = /\((.*)\) (\S) (\d+) (\d+)/s.exec(read(`/proc/${pid}/stat`)) ?? []
    // A zombie (Z) has ended.
    return state === undefined || state === 'Z'
      ? []
      : [{ pid: Number(pid), name, parent: Number(parent), group: Number(group) }]
  })
}

/** Whether the process belongs to another user. */
function isHidden(pid: number): boolean {
  try {
    readdirSync(`/proc/${pid}/fd`)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

function socketsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`
  return attempt(() => readdirSync(folder), []).flatMap((file) => {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(attempt(() => readlinkSync(`${folder}/${file}`), '')) ?? []
    return inode === undefined ? [] : [inode]
  })
}

/** Empty if the file cannot be read, as of a process that has ended or belongs to another user. */
function read(path: string): string {
  return attempt(() => readFileSync(path, 'utf8'), '')
}

function attempt<Value>(work: () => Value, otherwise: Value): Value {
  try {
    return work()
  } catch {
    return otherwise
  }
}
