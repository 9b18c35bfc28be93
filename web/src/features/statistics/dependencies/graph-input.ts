/** What in the graph a pointer is at, and what a key does to its window. */
import type { MouseEvent } from "react";
import { radiusAt } from "./graph-marks.tsx";
import type { Layout, Point } from "./layout.ts";
import type { Window } from "./visible-labels.ts";
import type { Item } from "./tree.ts";
import { zoomStep, type Zoom } from "./use-zoom.ts";

const reach = 9;
const keyStep = 60;

/** The name that is pointed at, else the nearest mark. */
export function itemAt(event: MouseEvent<HTMLElement>, { places }: Layout, window: Window): Item | null {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  const { target } = event;
  const id = target instanceof SVGElement ? target.getAttribute("data-id") : null;
  let nearest = places.find(({ item }) => item.id === id)?.item ?? null;
  let distance = nearest ? 0 : Number.POSITIVE_INFINITY;
  for (const place of places) {
    const away = Math.hypot(
      place.x * window.scale + window.x - (event.clientX - left),
      place.y * window.scale + window.y - (event.clientY - top),
    );
    if (away >= distance || away > Math.max(reach, radiusAt(place, window.scale) + 2)) continue;
    nearest = place.item;
    distance = away;
  }
  return nearest;
}

const steps: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: keyStep, y: 0 },
  ArrowRight: { x: -keyStep, y: 0 },
  ArrowUp: { x: 0, y: keyStep },
  ArrowDown: { x: 0, y: -keyStep },
};

/** Whether the key meant something here. */
export function moveByKey(key: string, { panBy, zoomBy, fit }: Zoom): boolean {
  const step = steps[key];
  if (step) panBy(step);
  else if (key === "+" || key === "=") zoomBy(zoomStep);
  else if (key === "-") zoomBy(1 / zoomStep);
  else if (key === "0") fit();
  else return false;
  return true;
}
