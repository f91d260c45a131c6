import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import type { Exchange } from '../suites/client/exchange.ts'

/** An OpenAPI document, to compare exchanges with. */
export interface DescribedApi {
  /** Each operation with each of its statuses as the document writes them, e.g. `POST /rules 201`, `GET /account 4XX`. */
  readonly described: readonly string[]
  /** The name of this exchange in `described`; null if the document does not describe it. */
  nameOf(exchange: Exchange): string | null
  /** Why the document does not allow the response; null if it does, or if there is no response. */
  fault(exchange: Exchange): string | null
  /** Whether the document allows a JSON text as a body of this operation. */
  allowsBody(operation: string, text: string): boolean
}

interface Content {
  readonly content: Readonly<Record<string, unknown>>
}

type Responses = Readonly<Record<string, Content | { readonly $ref: string }>>

interface Operation {
  readonly requestBody?: Content
  readonly responses: Responses
}

interface Document {
  readonly servers: readonly [
    { readonly url: string; readonly variables: Readonly<Record<string, { readonly default: string }>> },
  ]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Content>> }
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/**
 * Reads a document of `spec/openapi`. Everything that it does not list must be rejected, with the response that its
 * component `errorName` describes.
 */
export function readDescribedApi(name: string, errorName: string): DescribedApi {
  const document = parse(readFileSync(new URL(`../spec/openapi/${name}.yaml`, import.meta.url), 'utf8')) as Document
  const schemas = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(document, 'document')
  const validator = (pointer: string): ValidateFunction => {
    const found = schemas.getSchema(`document${pointer}`)
    if (found === undefined) throw new Error(`the document has no schema at ${pointer}`)
    return found
  }
  const responseAt = (pointer: string): Response => {
    const name = pointer.slice(pointer.lastIndexOf('/') + 1)
    const found = document.components.responses[name]
    if (found === undefined) throw new Error(`the document has no response ${name}`)
    return described(pointer, found)
  }
  const errorResponse = responseAt(`#/components/responses/${errorName}`)
  const prefix = prefixOf(document)
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [describeOperation({ path, method, operation, prefix, responseAt })]
    }),
  )
  const operationOf = ({ request }: Exchange) =>
    operations.find(({ method, matches }) => method === request.method && matches.test(pathOf(request.url)))
  const nameOf = (exchange: Exchange) => {
    const operation = operationOf(exchange)
    const status = statusIn(operation?.statuses, exchange)
    return operation === undefined || status === undefined ? null : `${operation.name} ${status}`
  }

  return {
    described: operations.flatMap(({ name, statuses }) => [...statuses.keys()].map((status) => `${name} ${status}`)),
    nameOf,
    fault(exchange) {
      const { response } = exchange
      if (response === null || isWithoutBody(exchange)) return null
      const operation = operationOf(exchange)
      const status = statusIn(operation?.statuses, exchange)
      if (operation !== undefined && status === undefined) return `${operation.name} has no status ${response.status}`
      if (operation === undefined && response.status < 400)
        return `status ${response.status} where nothing is described`
      const { media, pointer } = operation?.statuses.get(status ?? '') ?? errorResponse
      const isJson = /^application\/json\b/i.test(headerOf(exchange, 'content-type'))
      if (!isJson) return media === '*/*' ? null : `the answer is no ${media}`
      const validate = validator(pointer)
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

/** One response of the document: its media type, which may be any, and the location of its body's schema. */
interface Response {
  readonly media: string
  readonly pointer: string
}

function described(pointer: string, { content }: Content): Response {
  const [media, ...others] = Object.keys(content)
  if (media === undefined || others.length > 0) throw new Error(`not one media type at ${pointer}`)
  return { media, pointer: `${pointer}/content/${escaped(media)}/schema` }
}

/** Escapes a part of a JSON pointer in a URI fragment. */
function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll(/[{}]/g, encodeURIComponent)
}

function prefixOf({ servers: [{ url, variables }] }: Document): string {
  const whole = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => variables[name]?.default ?? '')
  return new URL(whole).pathname.replace(/\/$/, '')
}

/** The status of a response as an operation lists it: `201`, or `2XX`. */
function statusIn(statuses: ReadonlyMap<string, Response> | undefined, { response }: Exchange): string | undefined {
  const status = String(response?.status)
  return [status, `${status[0]}XX`].find((name) => statuses?.has(name))
}

interface Place {
  readonly path: string
  readonly method: string
  readonly operation: Operation
  readonly prefix: string
  readonly responseAt: (pointer: string) => Response
}

function describeOperation({ path, method, operation, prefix, responseAt }: Place) {
  const own = `#/paths/${escaped(path)}/${method}`
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    matches: new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    bodyPointer: operation.requestBody && described(`${own}/requestBody`, operation.requestBody).pointer,
    statuses: new Map(
      Object.entries(operation.responses).map(([status, response]) => [
        status,
        '$ref' in response ? responseAt(response.$ref) : described(`${own}/responses/${status}`, response),
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
    // A number beyond the range of a double becomes Infinity, which a schema would accept as a number.
    return JSON.parse(text, (_, value) => (Math.abs(value) === Number.POSITIVE_INFINITY ? 'no number' : value))
  } catch {
    return undefined
  }
}
