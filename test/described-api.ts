import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import type { Exchange } from '../suites/engine/outcome.ts'

/** An OpenAPI document, held against what went over the wire. */
export interface DescribedApi {
  /** Each operation with each of its statuses, e.g. `POST /rules 201`. */
  readonly described: readonly string[]
  /** Which of them this exchange is; null for one that the document does not describe. */
  nameOf(exchange: Exchange): string | null
  /** What is wrong with the answer by the document; null if nothing is, or if there is no answer. */
  fault(exchange: Exchange): string | null
  /** Whether a JSON text is a body that the document allows for this operation. */
  allowsBody(operation: string, text: string): boolean
}

interface Media {
  readonly content?: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly requestBody?: Media
  readonly responses: Readonly<Record<string, Media & { readonly $ref?: string }>>
}

interface Document {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** Reads a document of `spec/openapi`. */
export function readDescribedApi(name: string): DescribedApi {
  const document = parse(readFileSync(new URL(`../spec/openapi/${name}.yaml`, import.meta.url), 'utf8')) as Document
  const schemas = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(document, 'document')
  const validator = (pointer: string): ValidateFunction => {
    const found = schemas.getSchema(`document${pointer}`)
    if (found === undefined) throw new Error(`the document has no schema at ${pointer}`)
    return found
  }
  const prefix = document.servers[0]?.url.replace(/^\w+:\/\/[^/]+/, '').replace(/\/$/, '') ?? ''
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [describeOperation({ path, method, operation, prefix })]
    }),
  )
  const operationOf = ({ request }: Exchange) =>
    operations.find(({ method, matches }) => method === request.method && matches.test(pathOf(request.url)))
  const nameOf = (exchange: Exchange) => {
    const operation = operationOf(exchange)
    const status = exchange.response?.status
    return operation?.statuses.has(String(status)) ? `${operation.name} ${status}` : null
  }

  return {
    described: operations.flatMap(({ name, statuses }) => [...statuses.keys()].map((status) => `${name} ${status}`)),
    nameOf,
    fault(exchange) {
      const { response } = exchange
      if (response === null || isWithoutBody(exchange)) return null
      const operation = operationOf(exchange)
      const pointer = operation?.statuses.get(String(response.status))
      if (operation !== undefined && pointer === undefined) return `${operation.name} has no status ${response.status}`
      // What the document does not list can only be refused.
      const validate = validator(pointer ?? '#/components/schemas/Error')
      if (pointer === undefined && response.status < 400) return `status ${response.status} where nothing is described`
      if (!/^application\/json\b/i.test(headerOf(exchange, 'content-type'))) return 'the answer is no application/json'
      const isValid = validate(JSON.parse(response.body ?? 'null'))
      return isValid ? null : schemas.errorsText(validate.errors)
    },
    allowsBody(operation, text) {
      const { bodyPointer } = operations.find(({ name }) => name === operation) ?? {}
      if (bodyPointer === undefined) throw new Error(`the document has no body for ${operation}`)
      const value = jsonOf(text)
      return value !== undefined && validator(bodyPointer)(value) === true
    },
  }
}

interface Place {
  readonly path: string
  readonly method: string
  readonly operation: Operation
  readonly prefix: string
}

function describeOperation({ path, method, operation, prefix }: Place) {
  const own = `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll(/[{}]/g, encodeURIComponent)}/${method}`
  const schemaAt = (pointer: string) => `${pointer}/content/application~1json/schema`
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    matches: new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    bodyPointer: operation.requestBody && schemaAt(`${own}/requestBody`),
    statuses: new Map(
      Object.entries(operation.responses).map(([status, { $ref }]) => [
        status,
        schemaAt($ref ?? `${own}/responses/${status}`),
      ]),
    ),
  }
}

function pathOf(url: string): string {
  const { pathname } = new URL(url)
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

function headerOf({ response }: Exchange, name: string): string {
  return response?.headers.find(([header]) => header.toLowerCase() === name)?.[1] ?? ''
}

function isWithoutBody({ request, response }: Exchange): boolean {
  return request.method === 'HEAD' || response?.status === 204
}

function jsonOf(text: string): unknown {
  try {
    // A numeral that no double holds is read as infinity, which a schema would take for a number.
    return JSON.parse(text, (_, value) => (Math.abs(value) === Number.POSITIVE_INFINITY ? 'no number' : value))
  } catch {
    return undefined
  }
}
