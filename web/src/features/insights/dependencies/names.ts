/** Words on the canvas, and where they stand. */
import type { Frame } from "./scene.ts";
import type { Item } from "./tree.ts";
import type { Point } from "./view.ts";

/** Where a name stands: a strip that begins at `at` and goes on in direction `angle`, radians clockwise from the right. */
export interface DrawnName {
  item: Item;
  at: Point;
  angle: number;
  length: number;
}

export const nameHeight = 13;
export const fontSize = 12;

/** On a ground of its own, so that lines below it do not hinder reading. */
export function haloed(
  { context, palette }: Frame,
  { name, x, y, colour }: { name: string; colour: string } & Point,
): void {
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.strokeStyle = palette.paper;
  context.strokeText(name, x, y);
  context.fillStyle = colour;
  context.fillText(name, x, y);
}

export function shortened(context: CanvasRenderingContext2D, name: string, longest: number): string {
  const width = context.measureText(name).width;
  if (width <= longest) return name;
  const kept = Math.max(2, Math.floor((name.length * longest) / width) - 1);
  return `${name.slice(0, kept)}…`;
}
