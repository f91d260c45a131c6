// @ts-check
// Makes mutants of a module of checks: one weakened expectation, loop or condition each. All mutants of a module
// are in one instrumented source, and a global says at run time which of them is active (see `thread.js`).
import { parseSync } from 'rolldown/utils'

/**
 * @typedef {object} Mutant
 * @property {number} id
 * @property {string} file relative to the root of the project
 * @property {number} line from 1
 * @property {Kind} kind
 * @property {string} text the mutated source, on one line
 *
 * @typedef {'no expectation' | 'returns at once' | 'first item only' | 'one turn only'
 *   | 'condition always true' | 'condition always false'} Kind
 *
 * @typedef {{ type: string, start: number, end: number, [member: string]: any }} Node
 * @typedef {{ at: number, text: string, closes?: boolean }} Insertion
 */

/**
 * The mutants of a source and the source that holds them all.
 *
 * @param {string} file
 * @param {string} source
 * @param {number} firstId
 * @returns {{ mutants: Mutant[], code: string }}
 */
export function mutate(file, source, firstId) {
  /** @type {Mutant[]} */
  const mutants = []
  /** @type {Insertion[]} */
  const insertions = []

  /** @param {Kind} kind @param {Node} node */
  const add = (kind, node) => {
    const id = firstId + mutants.length
    const text = source.slice(node.start, node.end).replace(/\s+/g, ' ').slice(0, 120)
    mutants.push({ id, file, line: source.slice(0, node.start).split('\n').length, kind, text })
    return id
  }
  /** @param {Node} node @param {string} before @param {string} after */
  const wrap = (node, before, after) => {
    insertions.push({ at: node.start, text: before }, { at: node.end, text: after, closes: true })
  }

  visit(parseSync(file, source).program, (node, isInFunction) => {
    if (node.type === 'Property' && isCheck(node.key) && !node.shorthand) returnAtOnce(node.value)
    if (!isInFunction) return
    if (node.type === 'ExpressionStatement') dropExpectation(node.expression)
    if (node.type === 'ArrowFunctionExpression' && node.expression) dropExpectation(node.body)
    if (node.type === 'ForOfStatement') fewerItems(node.right)
    if (node.type === 'ForStatement' && node.body.type === 'BlockStatement') oneIteration(node)
    if (node.type === 'IfStatement') decide(node)
  })
  return { mutants, code: inserted(source, insertions) }

  /** @param {Node} expression */
  function dropExpectation(expression) {
    const call = expression.type === 'AwaitExpression' ? expression.argument : expression
    if (call.type !== 'CallExpression') return
    const { callee } = call
    const name = callee.type === 'Identifier' ? callee.name : callee.property?.name
    if (!/^expect[A-Z]/.test(name ?? '')) return
    const bound = callee.type === 'Identifier' ? '' : `.bind(${source.slice(callee.object.start, callee.object.end)})`
    // The arguments are kept, since they send the requests.
    wrap(callee, `tckExpectation(${add('no expectation', call)}, `, `${bound})`)
  }

  /** @param {Node} value */
  function returnAtOnce(value) {
    if (!/Function/.test(value.type)) {
      wrap(value, `(...given) => tckExpectation(${add('returns at once', value)}, `, ')(...given)')
      return
    }
    const { body } = value
    const condition = `tckMutant(${add('returns at once', body)})`
    if (body.type === 'BlockStatement') insertions.push({ at: body.start + 1, text: `if (${condition}) return;` })
    else wrap(body, `(${condition} ? undefined : `, ')')
  }

  /** @param {Node} items */
  function fewerItems(items) {
    wrap(items, `tckItems(${add('first item only', items)}, `, ')')
  }

  /** @param {Node} loop */
  function oneIteration(loop) {
    insertions.push({ at: loop.body.end - 1, text: `;if (tckMutant(${add('one turn only', loop)})) break;` })
  }

  /** @param {Node} statement */
  function decide({ test, consequent }) {
    const always = add('condition always true', test)
    // Without its guard a check would expect more, not less.
    const never = isGuard(consequent) ? null : add('condition always false', test)
    wrap(test, `tckHolds(${always}, ${never}, `, ')')
  }
}

/** Whether a member is the function of a check: its name is an id and a title, or `run`. @param {Node} key */
function isCheck({ name, value }) {
  return name === 'run' || /^C[TP]-\d+ /.test(value ?? '')
}

/**
 * Whether a statement only ends the check, or an iteration of its loop, without a failure.
 * @param {Node} statement @returns {boolean}
 */
function isGuard({ type, body, argument }) {
  if (type === 'BlockStatement') return body.length === 1 && isGuard(body[0])
  if (type === 'ThrowStatement') return /^(OutOfScope|NotApplicable|CannotArrange)$/.test(argument.callee?.name)
  return type === 'ContinueStatement' || (type === 'ReturnStatement' && argument === null)
}

/**
 * Calls `see` with each node, outer ones first.
 *
 * @param {any} node
 * @param {(node: Node, isInFunction: boolean) => void} see
 * @param {boolean} [isInFunction]
 */
function visit(node, see, isInFunction = false) {
  if (Array.isArray(node)) for (const each of node) visit(each, see, isInFunction)
  else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') see(node, isInFunction)
    const isInside = isInFunction || /Function/.test(node.type ?? '')
    for (const member of Object.values(node)) visit(member, see, isInside)
  }
}

/** @param {string} source @param {readonly Insertion[]} insertions */
function inserted(source, insertions) {
  // At the same position, ends of nodes come before starts, and outer nodes enclose inner ones.
  const closing = insertions.filter(({ closes }) => closes).toReversed()
  const opening = insertions.filter(({ closes }) => !closes)
  const ordered = [...closing, ...opening].sort((one, other) => one.at - other.at)
  let code = ''
  let from = 0
  for (const { at, text } of ordered) {
    code += source.slice(from, at) + text
    from = at
  }
  return code + source.slice(from)
}
