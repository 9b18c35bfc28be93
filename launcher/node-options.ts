/** Options of Node with which our programs run, by their entry file; also for the tests and the benchmark. */
export const nodeOptions: Readonly<Record<string, readonly string[]>> = {
  // By default, a semi-space of the young generation grows to 64 MiB: more memory, and longer pauses whenever it is cleaned.
  // The figures are in bench/README.md.
  "server/main.ts": ["--max-semi-space-size=32"],
};
