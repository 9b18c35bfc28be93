/**
 * A diagram of Mermaid. It is drawn in a frame that has no origin, no cookies and no network (`web/diagram.html`): what draws it is
 * large and takes texts of strangers. The frame gets the text, and answers how high it is.
 */
import { useEffect, useRef, useState } from "react";
import { text } from "../../text/markdown.ts";
import { Notice } from "../../ui/notice.tsx";
import styles from "./markdown.module.css";

const maxHeight = 4_000;

type Answer = { kind: "ready" } | { kind: "drawn"; height: number } | { kind: "failed"; why: string };

export function Diagram({ source }: { source: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(120);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const listen = ({ source: sender, data }: MessageEvent<unknown>) => {
      const target = frame.current?.contentWindow;
      if (!target || sender !== target) return;
      const answer = answerOf(data);
      // It has no origin that could be named.
      if (answer?.kind === "ready") target.postMessage({ source, isDark: isDark() }, "*");
      if (answer?.kind === "drawn") setHeight(answer.height);
      if (answer?.kind === "failed") setProblem(answer.why);
    };
    window.addEventListener("message", listen);
    return () => window.removeEventListener("message", listen);
  }, [source]);
  return (
    <div className={styles.diagram}>
      {problem === undefined ? (
        // A picture: there is nothing in it that a keyboard could use, so Tab goes past it.
        <iframe
          ref={frame}
          sandbox="allow-scripts"
          src="/-/diagram"
          title={text.diagram}
          height={height}
          tabIndex={-1}
        />
      ) : (
        <Notice tone="warn">{text.diagramFailed(problem)}</Notice>
      )}
      <details open={problem !== undefined}>
        <summary>{text.diagramSource}</summary>
        <pre tabIndex={0}>{source}</pre>
      </details>
    </div>
  );
}

/** What the frame says is worth as much as the text in it. */
function answerOf(data: unknown): Answer | undefined {
  if (typeof data !== "object" || data === null || !("kind" in data)) return undefined;
  if (data.kind === "ready") return { kind: "ready" };
  if (data.kind === "drawn" && "height" in data && typeof data.height === "number")
    return { kind: "drawn", height: Math.min(Math.max(Math.ceil(data.height), 20), maxHeight) };
  if (data.kind === "failed" && "why" in data) return { kind: "failed", why: String(data.why).slice(0, 500) };
  return undefined;
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}
