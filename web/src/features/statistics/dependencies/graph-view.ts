/** The view model of the graph: its layout, and what is emphasized because it was chosen or searched for. */
import type { Layout, Place } from "./layout.ts";
import type { Package } from "./packages.ts";
import type { Item } from "./tree.ts";

export interface GraphView {
  layout: Layout;
  /** Places by how much they deserve their name to be read. */
  ranked: readonly Place[];
  chosen: Item | null;
  /** What the chosen one needs, what needs it, and the way to it. */
  related: ReadonlySet<Item>;
  /** What was searched for; null: nothing is. */
  found: ReadonlySet<Item> | null;
}

export function buildGraphView(
  layout: Layout,
  itemOf: ReadonlyMap<Package, Item>,
  { chosen, found }: Pick<GraphView, "chosen" | "found">,
): GraphView {
  const related = new Set<Item>(chosen?.children);
  for (const one of [...(chosen?.package?.needs ?? []), ...(chosen?.package?.neededBy ?? [])]) {
    const item = itemOf.get(one);
    if (item) related.add(item);
  }
  for (let item = chosen?.parent; item; item = item.parent) related.add(item);
  const rank = ({ item, size }: Place) =>
    (item === chosen ? 8_000 : 0) +
    (related.has(item) ? 4_000 : 0) +
    (found?.has(item) ? 2_000 : 0) +
    (item.is === "package" ? size : 1_000 + item.children.length);
  const ranked = layout.places.toSorted((a, b) => rank(b) - rank(a));
  return { layout, ranked, chosen, related, found };
}

/** Whether it is not what somebody looks at. */
export function isFaint({ chosen, related, found }: GraphView, item: Item): boolean {
  if (item === chosen) return false;
  if (found) return !found.has(item) && item.is === "package";
  return chosen !== null && !related.has(item);
}
