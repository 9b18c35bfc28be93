/** What the canvas is told, out of the tree and of what somebody chose and searched in it. */
import { reachedFrom, type Package } from "./packages.ts";
import { placesOf } from "./places.ts";
import type { Scene } from "./scene.ts";
import { itemsOf, type Item } from "./tree.ts";

export interface Drawing extends Pick<Scene, "places" | "sizeOf"> {
  itemOf: ReadonlyMap<Package, Item>;
  brought: ReadonlyMap<Item, number>;
}

const marks = { repository: 9, manifest: 6, direct: 4.5, other: 3.5 };
const largest = 13;

/** Where everything stands, and how large: the more a direct dependency brings along, the larger. */
export function drawingOf(top: Item): Drawing {
  const items = itemsOf(top);
  const brought = new Map<Item, number>();
  const itemOf = new Map<Package, Item>();
  const sizeOf = new Map<Item, number>();
  for (const item of items) {
    const one = item.package;
    if (one) itemOf.set(one, item);
    if (one?.direct) brought.set(item, reachedFrom([one]).size - 1);
    const plain = item.is === "package" ? (one?.direct ? marks.direct : marks.other) : marks[item.is];
    sizeOf.set(item, Math.min(largest, plain + Math.sqrt(brought.get(item) ?? 0) * 0.7));
  }
  return { places: placesOf(top), sizeOf, itemOf, brought };
}

export function sceneOf(drawing: Drawing, chosen: Item | null, found: ReadonlySet<Item> | null): Scene {
  const related = new Set<Item>();
  for (const one of [...(chosen?.package?.needs ?? []), ...(chosen?.package?.neededBy ?? [])]) {
    const item = drawing.itemOf.get(one);
    if (item) related.add(item);
  }
  for (const child of chosen?.children ?? []) related.add(child);
  for (let item = chosen?.parent; item; item = item.parent) related.add(item);
  const importance = (item: Item) =>
    (item === chosen ? 1e6 : 0) +
    (related.has(item) ? 1e5 : 0) +
    (found?.has(item) ? 1e4 : 0) +
    (drawing.brought.get(item) ?? item.children.length);
  const byImportance = drawing.places.all
    .map((place) => ({ place, importance: importance(place.item) }))
    .toSorted((a, b) => b.importance - a.importance)
    .map(({ place }) => place);
  return { places: drawing.places, sizeOf: drawing.sizeOf, byImportance, chosen, related, found };
}
