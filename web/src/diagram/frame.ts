/**
 * In a frame of its own, without origin, cookies and network (`server/edges/pages/router.ts` says so again): draws the one text
 * that the page around it sends, and tells it how high the drawing is, or why there is none.
 */
import mermaid from "mermaid";

interface Order {
  source: string;
  isDark: boolean;
}

window.addEventListener("message", ({ source, data }: MessageEvent<Order>) => {
  if (source === window.parent)
    void draw(data).then(tell, (error: unknown) => tell({ kind: "failed", why: wordsOf(error) }));
});
tell({ kind: "ready" });

async function draw({ source, isDark }: Order) {
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
  document.body.style.margin = "0";
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    htmlLabels: false,
    theme: isDark ? "dark" : "default",
    maxTextSize: 50_000,
    maxEdges: 500,
  });
  const { svg } = await mermaid.render("diagram", source);
  document.body.replaceChildren(...new DOMParser().parseFromString(svg, "text/html").body.childNodes);
  return { kind: "drawn", height: document.documentElement.getBoundingClientRect().height };
}

function tell(answer: object): void {
  window.parent.postMessage(answer, "*");
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
