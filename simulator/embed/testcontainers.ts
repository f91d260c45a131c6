/** `copytrade-tck/testcontainers`: the simulator in a container, with the conventions of Testcontainers. */
import { randomBytes } from 'node:crypto'
import { stringify } from 'lossless-json'
import {
  AbstractStartedContainer,
  GenericContainer,
  getContainerRuntimeClient,
  type RestartOptions,
  type StartedTestContainer,
  Wait,
} from 'testcontainers'
import { type Fault, type ListedFault, type Parameters, type Profile, type RuleInput, rulesFileName } from '../index.ts'

const pluginPort = 8443
const controlPort = 8444
const dataDir = '/data'
const profileFile = '/etc/copytrade-tck/profile.json'

/** The time that Docker itself waits between SIGTERM and SIGKILL. */
const graceMs = 10_000

/**
 * A container of the simulator, not yet started. The image is the one that the project's Dockerfile
 * builds; without `withApiKey` the key is `key-for-tests`.
 *
 * ```ts
 * const plugin = await new CopyTradePluginContainer('copytrade-tck').withCapacity(10).start()
 * await fetch(`${plugin.getBaseUrl()}/api/rules`, { headers: { 'X-API-Key': plugin.getApiKey() } })
 * await plugin.stop()
 * ```
 */
export class CopyTradePluginContainer extends GenericContainer {
  readonly #token = randomBytes(24).toString('base64url')
  #parameters: Parameters = { API_Key: 'key-for-tests' }

  constructor(image: string) {
    super(image)
    this.withExposedPorts(pluginPort, controlPort)
    // Without a key the API is disabled and the port stays closed.
    this.withWaitStrategy(Wait.forLogMessage(/"msg":"(serving"|API_Key is empty)/))
  }

  /** The parameter `API_Key`; an empty one disables the API. */
  withApiKey(apiKey: string): this {
    return this.withParameters({ API_Key: apiKey })
  }

  /** The parameter `Copy_N`, e.g. `withCopyRule(1, '1001>2001,mult,1.0,same')`. */
  withCopyRule(number: number, value: string): this {
    return this.withParameters({ [`Copy_${number}`]: value })
  }

  /** Adds plugin parameters to the earlier ones. The port inside the container stays 8443. */
  withParameters(parameters: Parameters): this {
    this.#parameters = { ...this.#parameters, ...parameters }
    return this
  }

  /** Sets the maximum number of rules. */
  withCapacity(capacity: number): this {
    return this.withEnvironment({ TCK_CAPACITY: String(capacity) })
  }

  /** Sets answers to the questions that the specification leaves open. */
  withProfile(answers: Partial<Profile>): this {
    const content = JSON.stringify({ plugin: { answers } })
    return this.withCopyContentToContainer([{ content, target: profileFile }]).withEnvironment({
      TCK_PROFILE: profileFile,
    })
  }

  /** Starts the plugin with these defects; `copytrade-tck defects` lists all. */
  withDefect(...ids: readonly string[]): this {
    return this.withEnvironment({ TCK_DEFECT: ids.join(',') })
  }

  /** Sets the content of the rules file for the first start, e.g. one that another simulator has written. */
  withRulesFile(content: string | Buffer): this {
    return this.withCopyContentToContainer([{ content, target: `${dataDir}/${rulesFileName}`, mode: 0o644 }])
  }

  override async start(): Promise<StartedCopyTradePluginContainer> {
    const { API_Port: _, ...parameters } = this.#parameters
    this.withEnvironment({
      ...parameters,
      TCK_CONTROL_PORT: String(controlPort),
      TCK_CONTROL_TOKEN: this.#token,
    })
    const settings = { apiKey: parameters.API_Key ?? '', token: this.#token }
    return new StartedCopyTradePluginContainer(await super.start(), settings)
  }
}

/** A started container. Its ports change with each restart, so call the URL getters again. */
export class StartedCopyTradePluginContainer extends AbstractStartedContainer {
  readonly #given: { readonly apiKey: string; readonly token: string }

  constructor(started: StartedTestContainer, given: { readonly apiKey: string; readonly token: string }) {
    super(started)
    this.#given = given
  }

  /** E.g. `http://localhost:32768`, to which `/api/rules` is added. */
  getBaseUrl(): string {
    return `http://${this.getHost()}:${this.getMappedPort(pluginPort)}`
  }

  /** The URL of the control server. It takes `getControlToken()` as a bearer token. */
  getControlUrl(): string {
    return `http://${this.getHost()}:${this.getMappedPort(controlPort)}`
  }

  getControlToken(): string {
    return this.#given.token
  }

  getApiKey(): string {
    return this.#given.apiKey
  }

  /** Stops the container with SIGTERM and starts it again; after `crash()` it only starts it. */
  override async restart(options: Partial<RestartOptions> = {}): Promise<void> {
    await super.restart({ timeout: graceMs / 1000, ...options })
  }

  /** Kills the container with SIGKILL, like a power failure. It stays stopped until `restart()`. */
  async crash(): Promise<void> {
    const { container } = await getContainerRuntimeClient()
    const killed = container.getById(this.getId())
    await killed.kill({ signal: 'SIGKILL' })
    await killed.wait()
  }

  /** Restores the state of the first start; clears the faults and the journal. @throws ControlRequestError */
  async reset(): Promise<void> {
    await this.#control('POST', '/reset')
  }

  /** Stores rules, file, parameters and capacity under a name, until the process ends. @throws ControlRequestError */
  async snapshot(name: string): Promise<void> {
    await this.#control('PUT', `/snapshots/${encodeURIComponent(name)}`)
  }

  /** Restores a snapshot. @throws ControlRequestError */
  async restore(name: string): Promise<void> {
    await this.#control('POST', `/snapshots/${encodeURIComponent(name)}/restore`)
  }

  /** Replaces the list of rules and the rules file. @throws ControlRequestError */
  async replaceRules(rules: readonly RuleInput[]): Promise<void> {
    await this.#control('PUT', '/rules', { rules })
  }

  /** Adds a fault. @throws ControlRequestError */
  async addFault(fault: Fault): Promise<ListedFault> {
    return (await this.#control('POST', '/faults', fault)) as ListedFault
  }

  /** Sends a request to the control server. */
  async #control(method: string, path: string, body?: object): Promise<unknown> {
    const token = this.getControlToken()
    const headers = { 'Authorization': `Bearer ${token}`, 'Content-Type': 'application/json', 'Connection': 'close' }
    const response = await fetch(this.getControlUrl() + path, { method, headers, body: stringify(body) ?? null })
    const text = await response.text()
    const reply = text === '' ? {} : (JSON.parse(text) as object)
    if (!response.ok) throw new ControlRequestError(response.status, reply)
    return reply
  }
}

/** The control server rejected a request. */
export class ControlRequestError extends Error {
  override readonly name = 'ControlRequestError'
  readonly status: number
  readonly hint: string

  constructor(status: number, { error, hint }: { readonly error?: unknown; readonly hint?: unknown }) {
    super(`The control server responded with ${status}: ${String(error ?? 'no reason given')}`)
    this.status = status
    this.hint = String(hint ?? 'See the log of the container.')
  }
}
