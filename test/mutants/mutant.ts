/** One deliberate mistake in the product, and the tests that must notice it. */

export interface Mutant {
  /** Room, then the idea: `logs-ticket-expires`. */
  name: string;
  /** What the mistake breaks, as it is promised; with its row or section where there is one. */
  promise: string;
  /** Of the product, from the checkout's root. */
  file: string;
  /** Stands in the file exactly once. */
  find: string;
  replace: string;
  /** Test files, from the checkout's root. */
  tests: readonly string[];
  /** Part of the full names of the tests to run, where the whole file would take long. */
  only?: string;
}
