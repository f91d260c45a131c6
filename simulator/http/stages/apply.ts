import type { IncomingMessage } from 'node:http'
import type { RuleList } from '../../model/rule-list.ts'
import type { Answer, Json } from '../../server/answer.ts'
import type { ChangeName } from '../seams/saving.ts'
import type { Service } from '../service.ts'
import type { Intent } from './validate.ts'

/** The answer, and the change that is to be saved before it leaves; undefined where nothing changes. */
export interface Outcome {
  readonly answer: Answer
  readonly change: { readonly name: ChangeName; readonly rules: RuleList } | undefined
}

/** Works the intent out against the list. Nobody sees the new list before it is saved. */
export function apply(intent: Intent, request: IncomingMessage, service: Service): Outcome {
  switch (intent.operation) {
    case 'read-status':
      return unchanged(json(200, status(request, service), service))
    case 'list-rules':
      return unchanged({ status: 200, body: writtenList(service), headers: service.seams.bodyHeaders() })
    case 'show-methods':
      return unchanged(methods(intent.allow, service))
    case 'add-rule':
      return add(intent, service)
    case 'remove-rule':
      return remove(intent, service)
  }
}

function add({ rule }: Extract<Intent, { operation: 'add-rule' }>, service: Service): Outcome {
  const { seams, list, capacity } = service
  const full = seams.isFull(list.rules(), capacity)
  if (full && seams.judgesCapacityFirst) throw seams.capacityReached()
  const refusal = seams.judgeRule(rule, list.rules())
  if (refusal !== undefined) throw refusal
  if (full) throw seams.capacityReached()
  const { rules, position } = seams.addRule(list.rules(), rule)
  const index = seams.reportedIndex(position, rules.length)
  return { answer: json(seams.addedStatus, seams.addedBody(rule, index), service), change: { name: 'add-rule', rules } }
}

function remove({ position }: Extract<Intent, { operation: 'remove-rule' }>, service: Service): Outcome {
  const { seams, list } = service
  if (!seams.holdsPosition(list.rules(), position)) throw seams.invalidIndex()
  const rules = seams.removeRule(list.rules(), position)
  return { answer: json(200, seams.removedBody(), service), change: { name: 'remove-rule', rules } }
}

function status(request: IncomingMessage, { seams, list, plugin, port, configuredPort }: Service): Json {
  return seams.statusBody({
    plugin: plugin.name,
    version: plugin.version,
    licenseActive: plugin.licenseActive,
    rules: list.rules(),
    // A request that was handed in may come from a server that listens in our place.
    port: port() ?? request.socket?.localPort ?? configuredPort,
  })
}

function writtenList({ seams, list }: Service): Uint8Array {
  const write = () => {
    const rules = list.rules().map((rule, position) => seams.ruleBody(rule, seams.indexOf(position)))
    return seams.encodeJson(seams.listBody(rules))
  }
  return list.written((kept) => seams.writtenList(kept, write))
}

function methods(allowed: readonly string[], { seams }: Service): Answer {
  const { status, allow } = seams.showMethods(allowed)
  const body = status === 204 ? undefined : seams.encodeJson({ allow })
  return { status, body, headers: { ...(body && seams.bodyHeaders()), Allow: allow } }
}

function json(status: number, value: Json, { seams }: Service): Answer {
  return { status, body: seams.encodeJson(value), headers: seams.bodyHeaders() }
}

function unchanged(answer: Answer): Outcome {
  return { answer, change: undefined }
}
