import { assert, type IProperty } from 'fast-check'

/** Checks a property with many examples. A failure prints the seed that reproduces it. */
export function always<Example>(law: IProperty<Example>): void {
  // Only an asynchronous property returns a promise, and an IProperty is synchronous.
  void assert(law)
}
