/** The graph of domains: who uses whom, and in which order they stand on each other. */
import type { Arrow } from "./arrows.ts";
import { domainOf } from "./rules.ts";

/** For each domain those that it uses, by name. */
export function usesOf(arrows: readonly Arrow[]): Map<string, string[]> {
  const uses = new Map<string, Set<string>>();
  for (const { from, to } of arrows) {
    const [user, used] = [domainOf(from), domainOf(to)];
    if (user === undefined) continue;
    const known = uses.get(user) ?? uses.set(user, new Set()).get(user);
    if (used !== undefined && used !== user) known?.add(used);
  }
  return new Map([...uses].map(([user, used]) => [user, [...used].toSorted()]));
}

/** The domains in layers: each uses only those of layers before its own. Throws where a circle keeps some from standing anywhere. */
export function layersOf(uses: ReadonlyMap<string, readonly string[]>): string[][] {
  const layers: string[][] = [];
  const placed = new Set<string>();
  while (placed.size < uses.size) {
    const next = [...uses]
      .filter(([name, used]) => !placed.has(name) && used.every((one) => placed.has(one)))
      .map(([name]) => name);
    if (next.length === 0) {
      const left = [...uses.keys()].filter((name) => !placed.has(name));
      throw new Error(`a circle of domains: ${left.join(", ")}`);
    }
    layers.push(next.toSorted());
    for (const name of next) placed.add(name);
  }
  return layers;
}

/** For each domain all that it stands on, directly or by others. */
export function standsOn(arrows: readonly Arrow[]): Map<string, Set<string>> {
  const uses = usesOf(arrows);
  const below = new Map<string, Set<string>>();
  // From the bottom up, so that what each uses is known already.
  for (const name of layersOf(uses).flat()) {
    const used = uses.get(name) ?? [];
    below.set(name, new Set([...used, ...used.flatMap((one) => [...(below.get(one) ?? [])])]));
  }
  return below;
}
