/** Which names are shown: as many as there is room for, those that matter most first. */
import type { Layout, Place } from "./layout.ts";
import type { Item } from "./tree.ts";

export interface Window {
  x: number;
  y: number;
  scale: number;
  width: number;
  height: number;
}

export interface VisibleLabel {
  place: Place;
  label: string;
}

/** Of a name, in pixels on the screen. */
const height = 14;
const letter = 6.6;
const maxLabels = 120;
/** So many of those that matter most are named even where it is dense. */
const maxImportantLabels = 12;
/** Pixels: closer together, their names would hide their marks. */
const closestManifests = 25;
const longest = 24;
const shortest = 6;

/** `ranked`: the most important first; `isWanted`: named in any case. */
export function visibleLabels(
  layout: Layout,
  window: Window,
  { ranked, isWanted }: { ranked: readonly Place[]; isWanted: (item: Item) => boolean },
): VisibleLabel[] {
  const names: VisibleLabel[] = [];
  const taken = new Set<string>();
  const heads: { x: number; y: number; width: number }[] = [];
  let packages = 0;
  for (const place of ranked) {
    if (place.item.is === "package") packages += 1;
    if (names.length >= maxLabels) break;
    if (!isInside(place, window)) continue;
    const wanted = isWanted(place.item);
    const isFree = wanted || (place.item.is === "package" && packages <= maxImportantLabels);
    const letters = isFree ? longest : lettersFor(place, layout, window);
    if (letters < shortest) continue;
    const label = shortened(place.item.label, letters);
    const hasRoom =
      place.item.is === "package" ? takeArc(place, window, taken) : takeBox(place, label, { window, heads });
    if (hasRoom || wanted) names.push({ place, label });
  }
  return names;
}

function isInside({ x, y }: Place, { scale, width, height: high, ...shift }: Window): boolean {
  const [left, top] = [x * scale + shift.x, y * scale + shift.y];
  return left > -20 && top > -20 && left < width + 20 && top < high + 20;
}

/** Up to the next ring, and as far as one can read behind the last. */
function lettersFor({ item, distance, gap, room }: Place, { radius }: Layout, { scale }: Window): number {
  if (item.is === "manifest") return room * scale < closestManifests ? 0 : longest;
  if (item.is === "repository" || distance >= radius) return longest;
  return Math.min(longest, Math.floor((gap * scale - 14) / letter));
}

export function shortened(name: string, letters: number): string {
  return name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
}

/** On its ring there is room for one name in each stretch as long as a name is high. */
function takeArc({ angle, distance, item }: Place, { scale }: Window, taken: Set<string>): boolean {
  const at = Math.round((angle * distance * scale) / (height / 2));
  const keys = [at - 1, at, at + 1].map((stretch) => `${item.depth} ${stretch}`);
  if (keys.some((key) => taken.has(key))) return false;
  taken.add(`${item.depth} ${at}`);
  return true;
}

/** Names of the repository and its manifests stand upright, and must not cover each other. */
function takeBox(
  { x, y }: Place,
  label: string,
  { window, heads }: { window: Window; heads: { x: number; y: number; width: number }[] },
): boolean {
  const box = { x: x * window.scale, y: y * window.scale, width: label.length * letter };
  const isOver = (other: typeof box) =>
    Math.abs(box.y - other.y) < height && Math.abs(box.x - other.x) * 2 < box.width + other.width;
  if (heads.some(isOver)) return false;
  heads.push(box);
  return true;
}
