/** Where items stand: the repository in the middle, each step away from it a ring. Lengths are pixels at scale 1. */
import { itemsOf, type Item } from "./tree.ts";
import type { Point } from "./view.ts";

export interface Place {
  item: Item;
  /** Clockwise from the top. */
  angle: number;
  /** The angle that it and all below it have for themselves. */
  span: number;
  radius: number;
  /** Lines to what stands below it go round the middle at this distance. */
  bend: number;
  /** Where its own line leaves the one around the middle. */
  from: Point;
  x: number;
  y: number;
}

export interface Places {
  all: readonly Place[];
  of: ReadonlyMap<Item, Place>;
  /** Of the outermost ring. */
  radius: number;
  rings: number;
}

/** From one name on the outermost ring to the next. */
const spacing = 17;
/** Radius of the outermost of so many rings, at least. */
const smallest = (rings: number) => rings * (rings > 2 ? 130 : 90);
/** Where the first of two rings is, so that there is room for names within it. */
const innerOfTwo = 0.62;
/** Of the widest gap between rings: how wide the first and all others are at least. */
const narrowest = { first: 0.6, others: 0.15 };
/** Of the way from one ring to the next. */
const bendAt = 0.45;
/** So many names stay free between two manifests. */
const between = 1.5;

export function placesOf(top: Item): Places {
  const items = itemsOf(top);
  const isStart = (item: Item) => item.is === "manifest" && top.children.length > 1;
  const ends = items.filter(({ children }) => children.length === 0).length;
  const total = Math.max(1, ends + items.filter(isStart).length * between);
  const angles = anglesOf(items, total, isStart);
  const ring = ringsOf(items, (total * spacing) / (2 * Math.PI));
  const all = items.map((item): Place => {
    const { angle = 0, span = 0 } = angles.get(item) ?? {};
    const before = ring[item.depth - 1] ?? 0;
    const [own, next] = [ring[item.depth] ?? 0, ring[item.depth + 1] ?? ring.at(-1) ?? 0];
    const bend = item.children[0]?.is === "manifest" ? 0 : own + (next - own) * bendAt;
    const from = pointAt(angle, item.is === "manifest" ? 0 : before + (own - before) * bendAt);
    return { item, angle, span, radius: own, bend, from, ...pointAt(angle, own) };
  });
  return {
    all,
    of: new Map(all.map((place) => [place.item, place])),
    radius: ring.at(-1) ?? 0,
    rings: ring.length - 1,
  };
}

export function pointAt(angle: number, radius: number): Point {
  return { x: Math.sin(angle) * radius, y: -Math.cos(angle) * radius };
}

/** The radius of each ring, of the middle first. Where many stand there is more room: a few long chains do not press all others together. */
function ringsOf(items: readonly Item[], around: number): number[] {
  const counts: number[] = [];
  for (const { depth } of items) counts[depth] = (counts[depth] ?? 0) + 1;
  const rings = counts.length - 1;
  const radius = Math.max(around, smallest(rings));
  if (rings === 2) return [0, radius * innerOfTwo, radius];
  const wanted = counts.slice(1).map(Math.sqrt);
  const max = Math.max(1, ...wanted);
  const gaps = wanted.map((gap, at) => Math.max(gap, max * (at === 0 ? narrowest.first : narrowest.others)));
  const sum = gaps.reduce((before, gap) => before + gap, 0);
  let reached = 0;
  return [0, ...gaps.map((gap) => (reached += (gap / sum) * radius))];
}

/** What has nothing below it gets an angle of its own, one after the other; all else stands in the middle of what is below it. */
function anglesOf(items: readonly Item[], total: number, isStart: (item: Item) => boolean) {
  const angles = new Map<Item, { angle: number; span: number }>();
  const slot = (2 * Math.PI) / total;
  let next = 0;
  for (const item of items) {
    if (isStart(item)) next += between;
    if (item.children.length === 0) angles.set(item, { angle: next++ * slot, span: slot });
  }
  for (const item of items.toReversed()) {
    const below = item.children.flatMap((child) => angles.get(child) ?? []);
    const [first, last] = [below[0], below.at(-1)];
    if (!first || !last) continue;
    const span = below.reduce((sum, child) => sum + child.span, 0);
    angles.set(item, { angle: (first.angle + last.angle) / 2, span });
  }
  return angles;
}
