/** A canvas with the graph: where its window stands, and drawing it once for each frame of the screen in which something changed. */
import { drawGraph, itemAt } from "./draw-graph.ts";
import type { DrawnName } from "./names.ts";
import { readPalette, watchScheme, type Palette } from "./palette.ts";
import type { Frame, Scene } from "./scene.ts";
import type { Item } from "./tree.ts";
import { between, centred, fitted, moved, zoomed, type Point, type Size, type View } from "./view.ts";

export interface GraphWindow {
  /** `isNew`: other items than before; all of them are shown. */
  setScene(scene: Scene, isNew: boolean): void;
  fit(): void;
  /** About the middle, unless a point is given. */
  zoom(factor: number, about?: Point): void;
  pan(by: Point): void;
  /** Brings it to the middle. */
  show(item: Item): void;
  hover(item: Item | null): void;
  itemAt(point: Point): Item | null;
  close(): void;
}

const movementMs = 250;
const nearScale = 1;

export function createGraphWindow(canvas: HTMLCanvasElement): GraphWindow {
  const context = canvas.getContext("2d");
  let scene: Scene | null = null;
  let view: View = { x: 0, y: 0, scale: 1 };
  let size: Size = { width: 0, height: 0 };
  let palette: Palette | null = null;
  let hovered: Item | null = null;
  let names: readonly DrawnName[] = [];
  /** Nobody has moved it yet: it goes on showing all. */
  let isFitted = true;
  let request = 0;
  let movement: { from: View; to: View; startMs: number } | null = null;

  const frame = (): Frame | null =>
    scene && context
      ? { context, scene, view, size, hovered, palette: (palette ??= readPalette(canvas)) }
      : null;
  const redraw = () => {
    request ||= requestAnimationFrame(draw);
  };
  function draw(nowMs: number) {
    request = 0;
    if (movement) {
      const part = Math.min(1, (nowMs - movement.startMs) / movementMs);
      view = between(movement.from, movement.to, Math.max(0, part));
      if (part >= 1) movement = null;
      else redraw();
    }
    const now = frame();
    if (now) names = drawGraph(now, devicePixelRatio);
  }
  function moveTo(to: View, isFit = false) {
    isFitted = isFit;
    const isStill = isFit || matchMedia("(prefers-reduced-motion: reduce)").matches;
    movement = isStill ? null : { from: view, to, startMs: performance.now() };
    if (isStill) view = to;
    redraw();
  }
  function change(next: View) {
    movement = null;
    isFitted = false;
    view = next;
    redraw();
  }
  const whole = () => fitted(size, scene?.places ?? { radius: 1, rings: 1 });
  const resizing = new ResizeObserver(() => {
    size = { width: canvas.clientWidth, height: canvas.clientHeight };
    canvas.width = Math.round(size.width * devicePixelRatio);
    canvas.height = Math.round(size.height * devicePixelRatio);
    if (isFitted) view = whole();
    // At once: a canvas that gets another size is empty.
    draw(performance.now());
  });
  resizing.observe(canvas);
  const unwatch = watchScheme(() => {
    palette = null;
    redraw();
  });

  return {
    setScene(next, isNew) {
      scene = next;
      if (isNew) moveTo(whole(), true);
      redraw();
    },
    fit: () => moveTo(whole(), true),
    zoom(factor, about = { x: size.width / 2, y: size.height / 2 }) {
      change(zoomed(view, factor, { about, smallest: Math.min(nearScale, whole().scale) / 2 }));
    },
    pan: (by) => change(moved(view, by, { size, radius: scene?.places.radius ?? 1 })),
    show(item) {
      const place = scene?.places.of.get(item);
      if (place) moveTo(centred(place, size, Math.max(view.scale, nearScale)));
    },
    hover(item) {
      if (item === hovered) return;
      hovered = item;
      redraw();
    },
    itemAt(point) {
      const now = frame();
      return now && itemAt(now, names, point);
    },
    close() {
      cancelAnimationFrame(request);
      resizing.disconnect();
      unwatch();
    },
  };
}
