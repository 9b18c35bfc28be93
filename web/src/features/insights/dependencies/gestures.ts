/** Moves the window of a graph by pointer, wheel and keys. */
import type { GraphWindow } from "./graph-window.ts";
import type { Item } from "./tree.ts";
import type { Point } from "./view.ts";

const clickReach = 5;
const keyStep = 60;
export const zoomStep = 1.35;

/** `onChoose` gets what was clicked, null beside everything. Returns how to stop. */
export function watchPointers(
  canvas: HTMLCanvasElement,
  graph: GraphWindow,
  onChoose: (item: Item | null) => void,
): () => void {
  const down = new Map<number, Point>();
  /** How far what is down has gone; null: it is no click any more, two fingers were there. */
  let gone: number | null = 0;
  const pointOf = (event: MouseEvent): Point => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, pointOf(event));
    gone = down.size === 1 ? 0 : null;
  };
  const onMove = (event: PointerEvent) => {
    const now = pointOf(event);
    const before = down.get(event.pointerId);
    if (!before) {
      const item = graph.itemAt(now);
      graph.hover(item);
      canvas.dataset["over"] = item ? "item" : "";
      return;
    }
    down.set(event.pointerId, now);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) pinch(graph, { before, now, other });
    else if (gone === null || (gone += Math.hypot(now.x - before.x, now.y - before.y)) > clickReach)
      graph.pan({ x: now.x - before.x, y: now.y - before.y });
  };
  const onUp = (event: PointerEvent) => {
    const point = pointOf(event);
    if (!down.delete(event.pointerId) || gone === null || gone > clickReach) return;
    if (event.type === "pointerup") onChoose(graph.itemAt(point));
  };
  const onLeave = () => graph.hover(null);
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    graph.zoom(Math.exp(-event.deltaY * lines * 0.0018), pointOf(event));
  };
  canvas.addEventListener("pointerdown", onDown);
  canvas.addEventListener("pointermove", onMove);
  canvas.addEventListener("pointerup", onUp);
  canvas.addEventListener("pointercancel", onUp);
  canvas.addEventListener("pointerleave", onLeave);
  canvas.addEventListener("wheel", onWheel, { passive: false });
  return () => {
    canvas.removeEventListener("pointerdown", onDown);
    canvas.removeEventListener("pointermove", onMove);
    canvas.removeEventListener("pointerup", onUp);
    canvas.removeEventListener("pointercancel", onUp);
    canvas.removeEventListener("pointerleave", onLeave);
    canvas.removeEventListener("wheel", onWheel);
  };
}

function pinch(graph: GraphWindow, { before, now, other }: Record<"before" | "now" | "other", Point>): void {
  const distance = (point: Point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
  graph.pan({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
  graph.zoom(distance(now) / distance(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
}

const steps: Record<string, Point> = {
  ArrowLeft: { x: keyStep, y: 0 },
  ArrowRight: { x: -keyStep, y: 0 },
  ArrowUp: { x: 0, y: keyStep },
  ArrowDown: { x: 0, y: -keyStep },
};

/** Keys while `element` has the focus. Returns how to stop. */
export function watchKeys(element: HTMLElement, graph: GraphWindow, onEscape: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") onEscape();
    else if (!moveByKey(graph, event.key)) return;
    event.preventDefault();
  };
  element.addEventListener("keydown", onKey);
  return () => element.removeEventListener("keydown", onKey);
}

/** Whether the key meant something here. */
function moveByKey(graph: GraphWindow, key: string): boolean {
  const step = steps[key];
  if (step) graph.pan(step);
  else if (key === "+" || key === "=") graph.zoom(zoomStep);
  else if (key === "-") graph.zoom(1 / zoomStep);
  else if (key === "0") graph.fit();
  else return false;
  return true;
}
