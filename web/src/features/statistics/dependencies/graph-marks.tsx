/** A mark for each item of the graph: a square for the repository and its manifests, a circle for a package. */
import { memo } from "react";
import styles from "./dependencies.module.css";
import type { Place } from "./layout.ts";
import { kindStyles } from "./kind-styles.ts";
import { isFaint, type GraphView } from "./graph-view.ts";

const smallestRadius = 1.2;

export const GraphMarks = memo(function GraphMarks({
  graphView,
  scale,
}: {
  graphView: GraphView;
  scale: number;
}) {
  return graphView.layout.places.map((place) => (
    <Mark key={place.item.id} {...{ place, graphView }} scale={scale} />
  ));
});

/** Pixels on the screen: marks keep their size, but do not cover their neighbours by much. */
export function radiusAt({ item, size, room }: Place, scale: number): number {
  if (item.is !== "package") return size;
  return Math.max(smallestRadius, size / 2, Math.min(size, room * scale * 0.48));
}

function Mark({ place, graphView, scale }: { place: Place; graphView: GraphView; scale: number }) {
  const { item, x, y } = place;
  const radius = radiusAt(place, scale) / scale;
  const look = item.package ? kindStyles[item.package.kind] : null;
  const shared = {
    className: styles.mark,
    "data-colour": look?.colour ?? (item.manifest?.problem ? "bad" : "ink"),
    "data-filled": look?.isFilled ?? true,
    strokeWidth: look?.isFilled === false ? 2 / scale : 0,
    "data-faint": isFaint(graphView, item) || undefined,
  };
  const isRinged = item === graphView.chosen || graphView.found?.has(item);
  return (
    <>
      {look ? (
        <circle cx={x} cy={y} r={radius} {...shared} />
      ) : (
        <rect x={x - radius} y={y - radius} width={2 * radius} height={2 * radius} {...shared} />
      )}
      {isRinged ? (
        <circle cx={x} cy={y} r={radius + 4 / scale} strokeWidth={2 / scale} className={styles.ring} />
      ) : null}
    </>
  );
}
