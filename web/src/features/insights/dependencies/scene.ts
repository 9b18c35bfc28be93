/** What the canvas is to show, apart from where its window stands. */
import type { Palette } from "./palette.ts";
import type { Place, Places } from "./places.ts";
import type { Item } from "./tree.ts";
import { toScreen, type Point, type Size, type View } from "./view.ts";

export interface Scene {
  places: Places;
  /** Places by how much they deserve their name to be read. */
  byImportance: readonly Place[];
  /** In how many pixels at scale 1 an item's circle is drawn. */
  sizeOf: ReadonlyMap<Item, number>;
  chosen: Item | null;
  /** What the chosen one needs, what needs it, and the way to it. */
  related: ReadonlySet<Item>;
  /** What was searched for; null: nothing is. */
  found: ReadonlySet<Item> | null;
}

/** All that the parts of a picture are drawn with. */
export interface Frame {
  context: CanvasRenderingContext2D;
  scene: Scene;
  view: View;
  size: Size;
  palette: Palette;
  hovered: Item | null;
}

export function screenPlace({ view }: Pick<Frame, "view">, place: Point): Point {
  return toScreen(view, place);
}

export function isOnScreen({ size }: Pick<Frame, "size">, { x, y }: Point, margin: number): boolean {
  return x > -margin && y > -margin && x < size.width + margin && y < size.height + margin;
}

/** Radius on the screen: circles keep their size, but do not cover their neighbours by much. */
export function circleOf(
  { scene, view }: Pick<Frame, "scene" | "view">,
  { item, radius, span }: Place,
): number {
  const wanted = scene.sizeOf.get(item) ?? 4;
  const room = span * radius * view.scale * 0.48;
  return item.is === "package" ? Math.max(1.2, wanted / 2, Math.min(wanted, room)) : wanted;
}

/** 1, or less for what is not being looked at. */
export function strengthOf({ chosen, related, found }: Scene, item: Item): number {
  if (item === chosen) return 1;
  if (found) return found.has(item) || item.is !== "package" ? 1 : 0.2;
  return chosen && !related.has(item) ? 0.3 : 1;
}
