/** Where items stand: the repository in the middle, each step away from it on the next ring. Lengths are pixels at scale 1. */
import { hierarchy, tree, type HierarchyPointNode } from "d3-hierarchy";
import { reachedFrom } from "./packages.ts";
import { itemsOf, type Item } from "./tree.ts";

export interface Point {
  x: number;
  y: number;
}

export interface Place extends Point {
  item: Item;
  /** Radians, clockwise from the top. */
  angle: number;
  /** From the middle. */
  distance: number;
  /** Along its ring, to the nearest neighbour. */
  room: number;
  /** To the next ring; of the last one to the ring before. */
  gap: number;
  /** Radius of its mark: the more a direct dependency brings along, the larger. */
  size: number;
}

export interface Layout {
  places: readonly Place[];
  of: ReadonlyMap<Item, Place>;
  /** Items that are not among the places: those furthest from the repository. */
  left: number;
  /** Of the outermost ring. */
  radius: number;
}

/** More would be a blot, and slow to move. */
export const maxPlaces = 1_000;
/** From one name on a ring to the next. */
const spacing = 16;
/** Of the outermost of so many rings. */
const smallestRadius = (rings: number) => rings * 90;
/** Of the widest gap between rings. */
const narrowestGap = 0.3;
const sizes = { repository: 9, manifest: 6, direct: 4.5, other: 3.5 };
const largestSize = 13;

type Node = HierarchyPointNode<Item>;

export function layOut(top: Item): Layout {
  const items = itemsOf(top).toSorted((a, b) => a.depth - b.depth);
  const shown = new Set(items.slice(0, maxPlaces));
  const arrange = tree<Item>()
    .size([2 * Math.PI, 1])
    .separation((a, b) => (a.parent === b.parent ? 1 : 1.5) / a.depth);
  const nodes = arrange(
    hierarchy(top, ({ children }) => children.filter((child) => shown.has(child))),
  ).descendants();
  const angles = nearestAngles(nodes);
  const rings = ringsOf(nodes, angles);
  const places = nodes.map((node): Place => {
    const [before = 0, distance = 0, next] = [
      rings[node.depth - 1],
      rings[node.depth],
      rings[node.depth + 1],
    ];
    return {
      item: node.data,
      angle: node.x,
      distance,
      room: (angles.get(node) ?? 0) * distance,
      gap: next === undefined ? distance - before : next - distance,
      size: sizeOf(node.data),
      ...pointAt(node.x, distance),
    };
  });
  const of = new Map(places.map((place) => [place.item, place]));
  return { places, of, left: items.length - places.length, radius: rings.at(-1) ?? 0 };
}

/** The radius of each ring. Where many stand there is more room: a few long chains do not press all others together. */
function ringsOf(nodes: readonly Node[], angles: ReadonlyMap<Node, number>): number[] {
  const counts: number[] = [];
  for (const { depth } of nodes) counts[depth] = (counts[depth] ?? 0) + 1;
  const wanted = counts.slice(1).map(Math.sqrt);
  const widest = Math.max(...wanted);
  let reached = 0;
  const rings = [0, ...wanted.map((gap) => (reached += Math.max(gap, widest * narrowestGap)))];
  const tightest = Math.min(
    ...nodes.slice(1).map((node) => (angles.get(node) ?? 0) * (rings[node.depth] ?? 0)),
  );
  const scale = Math.max(spacing / tightest, smallestRadius(wanted.length) / reached);
  return rings.map((ring) => ring * scale);
}

export function pointAt(angle: number, distance: number): Point {
  return { x: Math.sin(angle) * distance, y: -Math.cos(angle) * distance };
}

/** From each to the nearest of the same depth. */
function nearestAngles(nodes: readonly Node[]): Map<Node, number> {
  const nearest = new Map<Node, number>();
  for (const ring of Map.groupBy(nodes, ({ depth }) => depth).values()) {
    const sorted = ring.toSorted((a, b) => a.x - b.x);
    for (const [at, node] of sorted.entries()) {
      const before = sorted.at(at - 1) ?? node;
      const next = sorted[at + 1] ?? sorted[0] ?? node;
      const turn = (angle: number) => (angle <= 0 ? angle + 2 * Math.PI : angle);
      nearest.set(node, Math.min(turn(node.x - before.x), turn(next.x - node.x)));
    }
  }
  return nearest;
}

function sizeOf({ is, package: one }: Item): number {
  if (is !== "package") return sizes[is];
  if (!one?.direct) return sizes.other;
  return Math.min(largestSize, sizes.direct + Math.sqrt(reachedFrom([one]).size - 1) * 0.7);
}
