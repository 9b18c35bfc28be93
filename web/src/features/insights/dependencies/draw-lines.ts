/** The lines of the graph: from each item outwards to an arc, and from the arc to what stands below it. */
import { pointAt, type Place } from "./places.ts";
import { isOnScreen, screenPlace, type Frame } from "./scene.ts";
import { toScreen, type Point } from "./view.ts";

const farAway = 40;

export function drawTree(frame: Frame): void {
  const { context, scene, palette } = frame;
  context.lineWidth = 1;
  context.strokeStyle = scene.chosen || scene.found ? palette.line : palette.lineStrong;
  context.globalAlpha = scene.chosen || scene.found ? 0.8 : 0.55;
  context.beginPath();
  for (const place of scene.places.all) if (place.item.children.length > 0) addBranch(frame, place);
  context.stroke();
  context.globalAlpha = 1;
}

function addBranch(frame: Frame, place: Place): void {
  const { context, scene, view } = frame;
  const { of } = scene.places;
  const below = place.item.children.flatMap((child) => of.get(child) ?? []);
  const [first, last] = [below[0], below.at(-1)];
  if (!first || !last) return;
  const { bend } = place;
  if (bend > 0) {
    addLine(frame, screenPlace(frame, place), toScreen(view, pointAt(place.angle, bend)));
    const centre = toScreen(view, { x: 0, y: 0 });
    const from = first.angle - Math.PI / 2;
    const start = toScreen(view, first.from);
    context.moveTo(start.x, start.y);
    context.arc(centre.x, centre.y, bend * view.scale, from, last.angle - Math.PI / 2);
  }
  for (const child of below) addLine(frame, toScreen(view, child.from), screenPlace(frame, child));
}

function addLine(frame: Frame, from: Point, to: Point): void {
  const { size, context } = frame;
  const isBeside =
    Math.max(from.x, to.x) < -farAway ||
    Math.max(from.y, to.y) < -farAway ||
    Math.min(from.x, to.x) > size.width + farAway ||
    Math.min(from.y, to.y) > size.height + farAway;
  if (isBeside) return;
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
}

/** The way from the repository to the chosen item, and curves to what it needs and from what needs it. */
export function drawRelations(frame: Frame): void {
  const { context, scene, palette } = frame;
  const { chosen, places } = scene;
  const place = chosen ? places.of.get(chosen) : undefined;
  if (!chosen || !place) return;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.beginPath();
  for (let item = chosen; item.parent; item = item.parent) addStep(frame, item.parent, item);
  for (const other of scene.related) {
    const end = places.of.get(other);
    if (!end || other.is !== "package" || isOnTheWay(other, chosen)) continue;
    if (other.parent === chosen) addStep(frame, chosen, other);
    else addCurve(frame, place, end);
  }
  context.stroke();
}

function isOnTheWay(other: Frame["scene"]["chosen"], chosen: Frame["scene"]["chosen"]): boolean {
  for (let item = chosen; item; item = item.parent) if (item === other) return true;
  return false;
}

function addStep(frame: Frame, above: Place["item"], below: Place["item"]): void {
  const { context, scene, view } = frame;
  const [from, to] = [scene.places.of.get(above), scene.places.of.get(below)];
  if (!from || !to) return;
  const { bend } = from;
  const start = screenPlace(frame, from);
  context.moveTo(start.x, start.y);
  if (bend > 0) {
    const centre = toScreen(view, { x: 0, y: 0 });
    const turn = Math.PI / 2;
    context.arc(
      centre.x,
      centre.y,
      bend * view.scale,
      from.angle - turn,
      to.angle - turn,
      to.angle < from.angle,
    );
  }
  const end = screenPlace(frame, to);
  context.lineTo(end.x, end.y);
}

/** Bent towards the middle, so that lines between neighbours do not lie on their ring. */
function addCurve(frame: Frame, from: Place, to: Place): void {
  const { context, view } = frame;
  const [start, end] = [screenPlace(frame, from), screenPlace(frame, to)];
  if (!isOnScreen(frame, start, 4_000) && !isOnScreen(frame, end, 4_000)) return;
  const pull = toScreen(view, { x: (from.x + to.x) * 0.3, y: (from.y + to.y) * 0.3 });
  context.moveTo(start.x, start.y);
  context.quadraticCurveTo(pull.x, pull.y, end.x, end.y);
}
