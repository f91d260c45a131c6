import { assert, type IProperty } from 'fast-check'

/** Checks a property with many examples; a failure prints the seed that reproduces it. */
export function always<Example>(law: IProperty<Example>): void {
  // Only a law that is checked asynchronously makes a promise, and IProperty is none.
  void assert(law)
}
