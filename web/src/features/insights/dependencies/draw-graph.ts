/** Draws the graph on a canvas, and tells what stands at a point of what was drawn. */
import { drawRelations, drawTree } from "./draw-lines.ts";
import { drawHovered, drawNames } from "./draw-names.ts";
import { nameHeight, type DrawnName } from "./names.ts";
import { looks } from "./palette.ts";
import type { Place } from "./places.ts";
import { circleOf, isOnScreen, screenPlace, strengthOf, type Frame } from "./scene.ts";
import type { Item } from "./tree.ts";
import type { Point } from "./view.ts";

/** Returns where names stand now. */
export function drawGraph(frame: Frame, pixelRatio: number): readonly DrawnName[] {
  const { context, size } = frame;
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  drawTree(frame);
  drawRelations(frame);
  for (const place of frame.scene.places.all) drawMark(frame, place);
  context.globalAlpha = 1;
  const names = drawNames(frame);
  drawHovered(frame);
  return names;
}

/** Nobody sees whether what is smaller is round, and thousands of squares are drawn faster. */
const smallestRound = 2;

function drawMark(frame: Frame, place: Place): void {
  const { context, scene, palette } = frame;
  const { item } = place;
  const at = screenPlace(frame, place);
  if (!isOnScreen(frame, at, 30)) return;
  const radius = circleOf(frame, place);
  context.globalAlpha = strengthOf(scene, item);
  if (radius < smallestRound && item.package) {
    context.fillStyle = palette[looks[item.package.kind].colour];
    context.fillRect(at.x - radius, at.y - radius, 2 * radius, 2 * radius);
    return;
  }
  context.beginPath();
  if (item.package) context.arc(at.x, at.y, radius, 0, 2 * Math.PI);
  else context.roundRect(at.x - radius, at.y - radius, 2 * radius, 2 * radius, 3);
  const { colour, isFilled } = item.package
    ? looks[item.package.kind]
    : { colour: item.manifest?.problem ? ("bad" as const) : ("ink" as const), isFilled: true };
  context.fillStyle = isFilled ? palette[colour] : palette.paper;
  context.fill();
  if (!isFilled) {
    context.lineWidth = radius < 3 ? 1 : 2;
    context.strokeStyle = palette[colour];
    context.stroke();
  }
  if (item === scene.chosen || (scene.found?.has(item) ?? false)) drawRing(frame, at, radius);
}

function drawRing({ context, palette }: Frame, at: Point, radius: number): void {
  context.beginPath();
  context.arc(at.x, at.y, radius + 4, 0, 2 * Math.PI);
  context.lineWidth = 2;
  context.strokeStyle = palette.accent;
  context.stroke();
}

const reach = 9;

/** A circle near the point, else the name below it. */
export function itemAt(frame: Frame, names: readonly DrawnName[], point: Point): Item | null {
  let nearest: Item | null = null;
  let distance = Number.POSITIVE_INFINITY;
  for (const place of frame.scene.places.all) {
    const { x, y } = screenPlace(frame, place);
    const away = Math.hypot(x - point.x, y - point.y);
    if (away < distance && away < Math.max(reach, circleOf(frame, place) + 2)) {
      nearest = place.item;
      distance = away;
    }
  }
  return nearest ?? names.findLast((name) => isOn(name, point))?.item ?? null;
}

function isOn({ at, angle, length }: DrawnName, point: Point): boolean {
  const [x, y] = [point.x - at.x, point.y - at.y];
  const along = x * Math.cos(angle) + y * Math.sin(angle);
  const aside = y * Math.cos(angle) - x * Math.sin(angle);
  return along > 0 && along < length && Math.abs(aside) < nameHeight / 2;
}
