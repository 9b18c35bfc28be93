/**
 * What a process of tests ends when it has run its last file: what its files share. Vitest has no hook for that but the
 * end of its environment (`process-environment.ts`), whose modules are not those of tests: they meet in `globalThis`.
 */
const key = Symbol.for("forgeline.test-process-end");
type Work = () => Promise<unknown>;

function list(): Work[] {
  const holder = globalThis as { [key]?: Work[] };
  return (holder[key] ??= []);
}

/** Done before the process ends, the last that came first. A process that is killed does none of it. */
export function atProcessEnd(work: Work): void {
  list().push(work);
}

/** Rejects with the first that fails, when all have been tried. */
export async function endProcess(): Promise<void> {
  const errors: unknown[] = [];
  for (const work of list().splice(0).toReversed())
    await work().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
