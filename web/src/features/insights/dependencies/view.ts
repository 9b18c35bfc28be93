/** Which part of the graph a window shows: `screen = graph * scale + (x, y)`. */
export interface View {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

const largestScale = 6;

export function toGraph({ x, y, scale }: View, point: Point): Point {
  return { x: (point.x - x) / scale, y: (point.y - y) / scale };
}

export function toScreen({ x, y, scale }: View, point: Point): Point {
  return { x: point.x * scale + x, y: point.y * scale + y };
}

/** All of it; with room for names around it where there are only two rings: where there are more, few stand on the last one. */
export function fitted({ width, height }: Size, { radius, rings }: { radius: number; rings: number }): View {
  const shorter = Math.min(width, height);
  const room = rings > 2 ? 30 : Math.min(135, shorter * 0.25);
  const scale = Math.min(1.4, Math.max(10, shorter / 2 - room) / Math.max(1, radius));
  return { x: width / 2, y: height / 2, scale };
}

/** `about` stays where it is on the screen. The smallest is half of what shows all. */
export function zoomed(view: View, factor: number, { about, smallest }: { about: Point; smallest: number }) {
  const scale = Math.min(Math.max(largestScale, smallest), Math.max(smallest, view.scale * factor));
  const fixed = toGraph(view, about);
  return { x: about.x - fixed.x * scale, y: about.y - fixed.y * scale, scale };
}

/** Some of the graph stays in the window. */
export function moved(view: View, by: Point, { size, radius }: { size: Size; radius: number }): View {
  const reach = radius * view.scale;
  const within = (value: number, length: number) =>
    Math.min(length + reach - 40, Math.max(40 - reach, value));
  return { ...view, x: within(view.x + by.x, size.width), y: within(view.y + by.y, size.height) };
}

/** `point` of the graph in the middle, at least as large as names need. */
export function centred(point: Point, { width, height }: Size, scale: number): View {
  return { x: width / 2 - point.x * scale, y: height / 2 - point.y * scale, scale };
}

/** Part of the way, for a movement that can be followed. */
export function between(from: View, to: View, part: number): View {
  const eased = 1 - (1 - part) ** 3;
  const mix = (a: number, b: number) => a + (b - a) * eased;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), scale: mix(from.scale, to.scale) };
}
