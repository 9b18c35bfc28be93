/**
 * Scrolls to an element, and again while what is above it gets its height: files out of sight are as high as was estimated, until
 * they come near. Ends when nothing moves any more, or somebody scrolls elsewhere.
 */
const restFrames = 8;
const maxFrames = 120;
const endedBy = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** The answer ends it. */
export function scrollSteadily(element: Element, options: { block: "start" | "center" }): () => void {
  let frames = 0;
  let atRest = 0;
  let top = NaN;
  const end = () => {
    frames = maxFrames;
    for (const event of endedBy) window.removeEventListener(event, end);
  };
  const step = () => {
    if (frames++ >= maxFrames || atRest > restFrames) return end();
    const now = element.getBoundingClientRect().top;
    atRest = now === top ? atRest + 1 : 0;
    if (atRest === 0) element.scrollIntoView(options);
    top = element.getBoundingClientRect().top;
    requestAnimationFrame(step);
  };
  // Not for the key that led here.
  requestAnimationFrame(() => {
    if (frames >= maxFrames) return;
    for (const event of endedBy) window.addEventListener(event, end, { passive: true });
  });
  step();
  return end;
}
