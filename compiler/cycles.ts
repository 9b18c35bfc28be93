/** Circles in a graph of names. */

/**
 * One circle for each group of names that reach each other, beginning with the group's first name in the graph's
 * order: enough to mend the file step by step, where listing all circles could be endless. Iterative, linear time.
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const state = new Map<string, "open" | "done">();
  const circles: string[][] = [];
  for (const start of graph.keys()) {
    if (state.has(start)) continue;
    const path: { name: string; next: number }[] = [{ name: start, next: 0 }];
    state.set(start, "open");
    while (path.length > 0) {
      const top = path[path.length - 1] as { name: string; next: number };
      const target = graph.get(top.name)?.[top.next];
      top.next += 1;
      if (target === undefined) {
        state.set(top.name, "done");
        path.pop();
      } else if (!state.has(target) && graph.has(target)) {
        state.set(target, "open");
        path.push({ name: target, next: 0 });
      } else if (state.get(target) === "open") {
        const from = path.findIndex((step) => step.name === target);
        circles.push(path.slice(from).map((step) => step.name));
      }
    }
  }
  return circles;
}
