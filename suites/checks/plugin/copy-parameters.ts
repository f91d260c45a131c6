import { copyValue } from '../../model/copy-syntax.ts'
import type { Draft } from '../../model/rule.ts'
import type { Session } from '../../session/session.ts'

/** The `Copy_N` parameters that create these rules, by name. */
export function copyOf({ copySyntax }: Pick<Session, 'copySyntax'>, rules: Readonly<Record<string, Draft>>) {
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, copyValue(copySyntax, rule)]))
}
