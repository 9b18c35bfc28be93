/** The graph to look at, to move in and to choose from. Whoever sees nothing has the same as a table. */
import { Maximize, Minus, Plus } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { text } from "../../../text/dependencies.ts";
import { IconButton } from "../../../ui/button.tsx";
import styles from "./dependencies.module.css";
import { watchKeys, watchPointers, zoomStep } from "./gestures.ts";
import { createGraphWindow, type GraphWindow } from "./graph-window.ts";
import type { Scene } from "./scene.ts";
import type { Item } from "./tree.ts";
import type { Wish } from "./use-exploring.ts";

export interface GraphCanvasProps {
  scene: Scene;
  /** Called with null for a place where nothing is. */
  onChoose: (item: Item | null) => void;
  /** Brought to the middle once it is there. */
  wish: Wish | null;
}

export function GraphCanvas({ scene, onChoose, wish }: GraphCanvasProps) {
  const hint = useId();
  const keys = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const graph = useRef<GraphWindow | null>(null);
  const choose = useRef(onChoose);
  useEffect(() => {
    choose.current = onChoose;
  });
  useEffect(() => {
    if (!canvas.current || !keys.current) return;
    const opened = createGraphWindow(canvas.current);
    const onChosen = (item: Item | null) => choose.current(item);
    const unwatchPointers = watchPointers(canvas.current, opened, onChosen);
    const unwatchKeys = watchKeys(keys.current, opened, () => onChosen(null));
    graph.current = opened;
    return () => {
      unwatchPointers();
      unwatchKeys();
      opened.close();
      graph.current = null;
    };
  }, []);
  const shown = useRef<Scene["places"] | null>(null);
  useEffect(() => {
    graph.current?.setScene(scene, shown.current !== scene.places);
    shown.current = scene.places;
  }, [scene]);
  const granted = useRef<Wish | null>(null);
  const { all } = scene.places;
  useEffect(() => {
    const place = all.find(({ item }) => item.id === wish?.id);
    if (!place || granted.current === wish) return;
    granted.current = wish;
    keys.current?.scrollIntoView({ block: "nearest" });
    graph.current?.show(place.item);
  }, [wish, all]);
  return (
    <div className={styles.frame}>
      <div
        ref={keys}
        role="application"
        aria-label={text.graph}
        aria-describedby={hint}
        tabIndex={0}
        className={styles.graph}
      >
        <canvas ref={canvas} className={styles.canvas} />
      </div>
      <div className={styles.zoom} role="group" aria-label={text.zoom}>
        <IconButton label={text.zoomIn} onClick={() => graph.current?.zoom(zoomStep)}>
          <Plus aria-hidden />
        </IconButton>
        <IconButton label={text.zoomOut} onClick={() => graph.current?.zoom(1 / zoomStep)}>
          <Minus aria-hidden />
        </IconButton>
        <IconButton label={text.fit} onClick={() => graph.current?.fit()}>
          <Maximize aria-hidden />
        </IconButton>
      </div>
      <p id={hint} className={styles.hint}>
        {text.graphHint}
      </p>
    </div>
  );
}
