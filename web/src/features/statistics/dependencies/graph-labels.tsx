/** Names beside the marks, as large on the screen however far away the graph is. */
import styles from "./dependencies.module.css";
import { radiusAt } from "./graph-marks.tsx";
import { visibleLabels, type VisibleLabel, type Window } from "./visible-labels.ts";
import { isFaint, type GraphView } from "./graph-view.ts";
import type { Item } from "./tree.ts";

/** So many names beside what was chosen may cover each other. */
const maxRelatedLabels = 40;

export function GraphLabels(props: { graphView: GraphView; hovered: Item | null; window: Window }) {
  const { graphView, hovered, window } = props;
  const { chosen, related } = graphView;
  const isWanted = (item: Item) =>
    item === chosen || item === hovered || (related.size < maxRelatedLabels && related.has(item));
  return visibleLabels(graphView.layout, window, { ranked: graphView.ranked, isWanted }).map(
    ({ place, label }) => (
      <text
        key={place.item.id}
        data-id={place.item.id}
        className={styles.name}
        data-chosen={place.item === chosen || undefined}
        data-faint={(place.item !== hovered && isFaint(graphView, place.item)) || undefined}
        {...standing(place, window)}
      >
        {label}
      </text>
    ),
  );
}

/** Away from the middle; on the left side from right to left, so that nothing stands on its head. */
function standing(place: VisibleLabel["place"], { x, y, scale }: Window) {
  const moved = `translate(${place.x * scale + x} ${place.y * scale + y})`;
  const away = radiusAt(place, scale) + 5;
  if (place.item.is !== "package") return { transform: moved, y: away + 8, textAnchor: "middle" as const };
  const degrees = (place.angle * 180) / Math.PI - 90;
  const isLeft = place.angle > Math.PI;
  return {
    transform: `${moved} rotate(${isLeft ? degrees + 180 : degrees})`,
    x: isLeft ? -away : away,
    textAnchor: isLeft ? ("end" as const) : ("start" as const),
    dominantBaseline: "central" as const,
  };
}
