/** The graph to look at, to move in and to choose from. Whoever sees nothing has the same as a table. */
import { Maximize, Minus, Plus } from "lucide-react";
import {
  memo,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from "react";
import { text } from "../../../text/dependencies.ts";
import { IconButton } from "../../../ui/button.tsx";
import { itemAt, moveByKey } from "./graph-input.ts";
import styles from "./dependencies.module.css";
import { GraphMarks } from "./graph-marks.tsx";
import { GraphLabels } from "./graph-labels.tsx";
import type { Layout } from "./layout.ts";
import { relationEdgePath, treeEdgePath } from "./edge-paths.ts";
import type { GraphView } from "./graph-view.ts";
import type { Item } from "./tree.ts";
import type { RevealRequest } from "./use-explorer.ts";
import { useZoom, zoomStep, type Zoom } from "./use-zoom.ts";

export interface GraphProps {
  graphView: GraphView;
  /** Called with null for a place where nothing is. */
  onChoose: (id: string | null) => void;
  /** Brought to the middle once it is there. */
  revealRequest: RevealRequest | null;
}

export function Graph({ graphView, onChoose, revealRequest }: GraphProps) {
  const hint = useId();
  const { layout } = graphView;
  const svg = useRef<SVGSVGElement>(null);
  const zoom = useZoom(svg, layout);
  const frame = useReveal(revealRequest, layout, zoom);
  const [hovered, setHovered] = useState<Item | null>(null);
  const window = { x: zoom.view.x, y: zoom.view.y, scale: zoom.view.k, ...zoom.size };
  const at = (event: MouseEvent<HTMLElement>) => itemAt(event, layout, window);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") onChoose(null);
    else if (!moveByKey(event.key, zoom)) return;
    event.preventDefault();
  };
  return (
    <div className={styles.frame}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application has keys of its own */}
      <div
        ref={frame}
        role="application"
        aria-label={text.graph}
        aria-describedby={hint}
        tabIndex={0}
        className={styles.graph}
        data-over={hovered ? "item" : undefined}
        onKeyDown={onKeyDown}
        onMouseMove={(event) => setHovered(at(event))}
        onMouseLeave={() => setHovered(null)}
        onClick={(event) => onChoose(at(event)?.id ?? null)}
      >
        <svg ref={svg} aria-hidden>
          <g transform={zoom.view.toString()}>
            <Lines graphView={graphView} />
            <GraphMarks graphView={graphView} scale={steppedScale(zoom.view.k)} />
          </g>
          <GraphLabels {...{ graphView, hovered, window }} />
        </svg>
      </div>
      <ZoomButtons zoom={zoom} />
      <p id={hint} className={styles.hint}>
        {text.graphHint} {layout.left > 0 ? text.leftOut(layout.places.length) : ""}
      </p>
    </div>
  );
}

/** Marks keep their size on the screen in steps: drawing all of them again at each turn of a wheel takes too long. */
function steppedScale(scale: number): number {
  return 2 ** Math.round(Math.log2(scale));
}

/** Moves the view to the requested item, once for each request and as soon as the item is laid out. Returns the ref for the graph's frame. */
function useReveal(revealRequest: RevealRequest | null, layout: Layout, { show, size }: Zoom) {
  const frame = useRef<HTMLDivElement>(null);
  const handled = useRef<RevealRequest | null>(null);
  useEffect(() => {
    const place = layout.places.find(({ item }) => item.id === revealRequest?.id);
    if (!place || handled.current === revealRequest || size.width === 0) return;
    handled.current = revealRequest;
    frame.current?.scrollIntoView({ block: "nearest" });
    show(place);
  }, [revealRequest, layout, show, size]);
  return frame;
}

const Lines = memo(function Lines({ graphView }: { graphView: GraphView }) {
  const { layout, chosen, related, found } = graphView;
  const lines = useMemo(() => treeEdgePath(layout), [layout]);
  return (
    <>
      <path d={lines} className={styles.lines} data-faint={chosen !== null || found !== null || undefined} />
      {chosen ? <path d={relationEdgePath(layout, chosen, related)} className={styles.relations} /> : null}
    </>
  );
});

function ZoomButtons({ zoom: { zoomBy, fit } }: { zoom: Zoom }) {
  return (
    <div className={styles.zoom} role="group" aria-label={text.zoom}>
      <IconButton label={text.zoomIn} onClick={() => zoomBy(zoomStep)}>
        <Plus aria-hidden />
      </IconButton>
      <IconButton label={text.zoomOut} onClick={() => zoomBy(1 / zoomStep)}>
        <Minus aria-hidden />
      </IconButton>
      <IconButton label={text.fit} onClick={fit}>
        <Maximize aria-hidden />
      </IconButton>
    </div>
  );
}
