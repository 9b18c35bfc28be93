/** Names of the repository and its manifests: upright, beside their mark, where they cover no other of them. */
import { fontSize, haloed, nameHeight, shortened, type DrawnName } from "./names.ts";
import type { Place } from "./places.ts";
import { screenPlace, strengthOf, type Frame } from "./scene.ts";
import type { Item } from "./tree.ts";
import type { Point } from "./view.ts";

const longestHead = 150;
const away = 17;
const tries = 3;
/** Of a name's length, towards the middle. */
const shifts = [0.35, 0, 0.6];
/** So far a name may reach beyond the arc of its manifest. */
const beyond = 14;
const markWidth = 12;
/** Closer to the middle than that, names of manifests would hide it. */
const closest = 45;

interface Box extends Point {
  width: number;
}

export function drawHeads(frame: Frame): DrawnName[] {
  const { context, scene, palette } = frame;
  const heads = scene.places.all.filter(({ item }) => item.is !== "package");
  // The repository is the first of all, and so has its room; then those with most below them.
  const largestFirst = [
    ...heads.slice(0, 1),
    ...heads.slice(1).toSorted((a, b) => b.item.children.length - a.item.children.length),
  ];
  const taken = heads.map((place): Box => ({ ...screenPlace(frame, place), width: markWidth }));
  return largestFirst.flatMap((place) => {
    context.font = `600 ${fontSize}px ${palette.font}`;
    const isChosen = place.item === scene.chosen;
    if (!isChosen && isTooClose(frame, place)) return [];
    for (const name of namesOf(place.item).map((each) => shortened(context, each, longestHead))) {
      const width = context.measureText(name).width;
      const box =
        freeBox(frame, { place, width, taken }) ?? (isChosen ? boxesOf(frame, place, width)[0] : null);
      if (box) return [drawHead(frame, place, { name, ...box })];
    }
    return [];
  });
}

/** The whole one first, then one that says the least. */
function namesOf({ label, is }: Item): string[] {
  const last = label.slice(label.lastIndexOf("/") + 1);
  return is === "manifest" && last !== label ? [label, `…/${last}`] : [label];
}

function isTooClose({ view }: Frame, { radius }: Place): boolean {
  return radius > 0 && radius * view.scale < closest;
}

function freeBox(
  frame: Frame,
  { place, width, taken }: { place: Place; width: number; taken: Box[] },
): Box | undefined {
  const box = boxesOf(frame, place, width).find(
    (one) => isWithin(frame, place, one) && taken.every((other) => !isOver(one, other)),
  );
  if (box) taken.push(box);
  return box;
}

/** Towards the middle, where the lines are few. */
function boxesOf(frame: Frame, place: Place, width: number): Box[] {
  const at = screenPlace(frame, place);
  if (place.radius === 0) return [{ x: at.x, y: at.y + away, width }];
  const up = Math.cos(place.angle) < 0 ? -1 : 1;
  return Array.from({ length: tries }, (_, step) => at.y + up * (away + step * nameHeight)).flatMap((y) =>
    shifts.map((shift) => ({ x: at.x - Math.sin(place.angle) * width * shift, y, width })),
  );
}

/** Outside of the arcs are names of packages. */
function isWithin({ view }: Frame, { radius, bend }: Place, { x, y, width }: Box): boolean {
  if (radius === 0) return true;
  const across = Math.abs(x - view.x) + width / 2;
  return Math.hypot(across, y - view.y) < bend * view.scale + beyond;
}

function isOver(one: Box, other: Box): boolean {
  return (
    Math.abs(one.y - other.y) < nameHeight && Math.abs(one.x - other.x) * 2 < one.width + other.width + 12
  );
}

function drawHead(frame: Frame, { item }: Place, { name, x, y, width }: Box & { name: string }): DrawnName {
  const { context, scene, palette } = frame;
  const colour = item.manifest?.problem ? palette.bad : item === scene.chosen ? palette.accent : palette.ink;
  context.save();
  context.textAlign = "center";
  context.globalAlpha = strengthOf(scene, item);
  haloed(frame, { name, x, y, colour });
  if (item.is === "repository" && item.manifest) {
    context.font = `${fontSize}px ${palette.font}`;
    haloed(frame, { name: item.manifest.path, x, y: y + nameHeight + 2, colour: palette.soft });
  }
  context.restore();
  return { item, at: { x: x - width / 2, y }, angle: 0, length: width };
}
