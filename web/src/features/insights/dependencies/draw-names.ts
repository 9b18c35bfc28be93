/** Names beside the items: as many as there is room for, those that matter most first. */
import { drawHeads } from "./draw-heads.ts";
import { fontSize, haloed, nameHeight, shortened, type DrawnName } from "./names.ts";
import { circleOf, isOnScreen, screenPlace, strengthOf, type Frame } from "./scene.ts";
import type { Place } from "./places.ts";
import type { Point } from "./view.ts";

const longestName = 180;
const shortestName = 40;
/** So many of those that bring most along are named however dense it is, with names up to this length. */
const maxImportant = 14;
const enough = 110;
/** What stands closer together is too dense to write over. */
const narrowest = 5;
/** So many names beside what was chosen may cover each other. */
const maxRelated = 40;

export function drawNames(frame: Frame): DrawnName[] {
  const { context, scene } = frame;
  context.textBaseline = "middle";
  const taken = new Map<string, number>();
  const drawn: DrawnName[] = [];
  for (const [rank, place] of scene.byImportance.entries()) {
    const at = screenPlace(frame, place);
    if (place.item.is !== "package" || !isOnScreen(frame, at, longestName)) continue;
    const isWanted =
      place.item === scene.chosen || (scene.related.has(place.item) && scene.related.size < maxRelated);
    const room = isWanted ? longestName : Math.max(roomFor(frame, place), rank < maxImportant ? enough : 0);
    if (room < shortestName || (!takeStretch(frame, place, taken) && !isWanted)) continue;
    drawn.push(drawName(frame, { place, at, room }));
  }
  return [...drawn, ...drawHeads(frame)];
}

/** How long a name may be: on to the next ring, or further where nothing else stands behind it. */
function roomFor({ scene, view }: Frame, place: Place): number {
  const { item, radius, span, bend } = place;
  if (item.children.length > 0) return (bend - radius) * view.scale - 14;
  const breadth = span * radius * view.scale;
  if (radius >= scene.places.radius - 1 || breadth >= nameHeight) return longestName;
  return breadth < narrowest ? 0 : (bend - radius) * 2 * view.scale - 14;
}

/** On its ring there is room for one name in each stretch as long as a name is high. */
function takeStretch({ view }: Frame, { angle, radius, item }: Place, taken: Map<string, number>): boolean {
  const along = angle * radius * view.scale;
  const stretch = Math.floor(along / nameHeight);
  for (const near of [stretch - 1, stretch, stretch + 1]) {
    const other = taken.get(`${item.depth} ${near}`);
    if (other !== undefined && Math.abs(other - along) < nameHeight) return false;
  }
  taken.set(`${item.depth} ${stretch}`, along);
  return true;
}

/** Away from the middle; on the left side from right to left, so that nothing stands on its head. */
function drawName(frame: Frame, { place, at, room }: { place: Place; at: Point; room: number }): DrawnName {
  const { context, scene, palette } = frame;
  const { item } = place;
  const isChosen = item === scene.chosen;
  context.font = `${isChosen ? 650 : 400} ${fontSize}px ${palette.font}`;
  const away = circleOf(frame, place) + 5;
  const name = shortened(context, item.label, room);
  const length = context.measureText(name).width;
  const direction = place.angle - Math.PI / 2;
  const isLeft = Math.sin(place.angle) < 0;
  context.save();
  context.translate(at.x, at.y);
  context.rotate(isLeft ? direction + Math.PI : direction);
  context.textAlign = isLeft ? "right" : "left";
  context.globalAlpha = strengthOf(scene, item);
  haloed(frame, { name, x: isLeft ? -away : away, y: 0, colour: isChosen ? palette.accent : palette.ink });
  context.restore();
  return { item, at, angle: direction, length: away + length };
}

/** What stands below the pointer has its name, whatever the room. */
export function drawHovered(frame: Frame): void {
  const { context, palette, scene, hovered } = frame;
  const place = hovered ? scene.places.of.get(hovered) : undefined;
  if (!place) return;
  const at = screenPlace(frame, place);
  context.font = `600 ${fontSize}px ${palette.font}`;
  const { label, package: one, manifest } = place.item;
  const name = one?.versions.length === 1 ? `${label} ${one.versions[0]}` : (manifest?.path ?? label);
  const width = context.measureText(name).width + 16;
  const x = Math.min(Math.max(4, at.x - width / 2), Math.max(4, frame.size.width - width - 4));
  const y = at.y > 44 ? at.y - 38 : at.y + 14;
  context.beginPath();
  context.roundRect(x, y, width, 24, 5);
  context.fillStyle = palette.ink;
  context.fill();
  context.fillStyle = palette.paper;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(name, x + 8, y + 12.5);
}
