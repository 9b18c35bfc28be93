/** The part of the graph that its window shows, moved by pointer, wheel, fingers, keys and buttons. */
import { select, type Selection } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform, type ZoomBehavior, type ZoomTransform } from "d3-zoom";
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import type { Layout, Point } from "./layout.ts";

export interface Size {
  width: number;
  height: number;
}

export interface Zoom {
  /** `screen = graph * k + (x, y)` */
  view: ZoomTransform;
  size: Size;
  fit: () => void;
  /** About the middle of the window. */
  zoomBy: (factor: number) => void;
  /** By pixels on the screen. */
  panBy: (by: Point) => void;
  /** Brings it to the middle, large enough to read names. */
  show: (point: Point) => void;
}

export const zoomStep = 1.35;
const largestScale = 6;
/** Of the graph, so many pixels stay in the window. */
const kept = 40;
/** Around the graph, for names behind the last ring: of a large one few are shown. */
const margins = { small: 130, large: 40 };
const smallRadius = 500;

type Behaviour = ZoomBehavior<SVGSVGElement, unknown>;
type Window = Selection<SVGSVGElement, unknown, null, undefined>;
type Move = (behaviour: Behaviour, window: Window, now: ZoomTransform) => void;

/** A new layout is shown whole. */
export function useZoom(svg: RefObject<SVGSVGElement | null>, layout: Layout): Zoom {
  const { radius } = layout;
  const [view, setView] = useState(zoomIdentity);
  const size = useSize(svg);
  const whole = useMemo(() => wholeIn(size, radius), [size, radius]);
  const behaviour = useMemo(
    () => behaviourIn(size, radius).on("zoom", (event) => setView(event.transform)),
    [size, radius],
  );
  useEffect(() => attach(behaviour, svg.current), [svg, behaviour]);
  const move = useMemo(() => moverOf(svg, behaviour), [svg, behaviour]);
  const fit = useCallback(() => move((to, window) => to.transform(window, whole)), [move, whole]);
  const shown = useRef<{ layout: Layout; whole: ZoomTransform } | null>(null);
  useEffect(() => {
    const before = shown.current;
    shown.current = { layout, whole };
    // Whoever has moved in it keeps their place when the window gets another size.
    const isMoved = svg.current && before?.whole.toString() !== zoomTransform(svg.current).toString();
    if (before?.layout !== layout || !isMoved) fit();
  }, [svg, layout, whole, fit]);
  const show = useCallback(
    ({ x, y }: Point) =>
      move((to, window, now) => {
        to.transform(
          window,
          zoomIdentity
            .translate(size.width / 2, size.height / 2)
            .scale(Math.max(now.k, 1))
            .translate(-x, -y),
        );
      }),
    [move, size],
  );
  return {
    view,
    size,
    fit,
    show,
    zoomBy: (factor) => move((to, window) => to.scaleBy(window, factor)),
    panBy: ({ x, y }) => move((to, window, { k }) => to.translateBy(window, x / k, y / k)),
  };
}

/** Does nothing as long as there is no window. */
function moverOf(svg: RefObject<SVGSVGElement | null>, behaviour: Behaviour) {
  return (by: Move): void => {
    if (svg.current) by(behaviour, select(svg.current), zoomTransform(svg.current));
  };
}

function useSize(svg: RefObject<SVGSVGElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const watcher = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [svg]);
  return size;
}

/** Returns how to stop. */
function attach(behaviour: Behaviour, svg: SVGSVGElement | null): (() => void) | undefined {
  if (!svg) return undefined;
  // A click chooses; two of them are two clicks.
  const window = select(svg).call(behaviour).on("dblclick.zoom", null);
  return () => {
    window.on(".zoom", null);
  };
}

function behaviourIn({ width, height }: Size, radius: number): Behaviour {
  const within = (value: number, length: number, reach: number) =>
    Math.min(length + reach - kept, Math.max(kept - reach, value));
  return zoom<SVGSVGElement, unknown>()
    .clickDistance(5)
    .extent([
      [0, 0],
      [width, height],
    ])
    .scaleExtent([Math.min(1, wholeIn({ width, height }, radius).k) / 2, largestScale])
    .constrain(({ k, x, y }) =>
      zoomIdentity.translate(within(x, width, radius * k), within(y, height, radius * k)).scale(k),
    );
}

function wholeIn({ width, height }: Size, radius: number): ZoomTransform {
  const half = Math.max(20, Math.min(width, height) / 2);
  const margin = radius < smallRadius ? margins.small : margins.large;
  const scale = Math.min(1.4, Math.max(half - margin, half / 2) / Math.max(1, radius));
  return zoomIdentity.translate(width / 2, height / 2).scale(scale);
}
