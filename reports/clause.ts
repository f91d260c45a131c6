const inNumericOrder = new Intl.Collator('en', { numeric: true })

/** Groups items by clause, in the order of the specification: 4.2 before 4.10. */
export function groupByClause<Item extends { readonly clause: string }>(items: readonly Item[]) {
  const clauses = [...new Set(items.map((item) => item.clause))].sort(inNumericOrder.compare)
  return clauses.map((clause) => ({ clause, items: items.filter((item) => item.clause === clause) }))
}
