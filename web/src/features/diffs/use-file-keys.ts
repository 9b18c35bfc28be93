/** `j` and `k` go to the next and the previous file. */
import { useRef } from "react";
import { usePageKeys } from "../../ui/page-keys.ts";
import { scrollSteadily } from "./scroll-steadily.ts";
import type { ChangedFiles } from "./use-changed-files.ts";

/** Files whose head is this near to the window's upper edge are where one is. */
const nearEdgePx = 24;

export function useFileKeys(found: ChangedFiles) {
  const ref = useRef<HTMLDivElement>(null);
  const go = (step: 1 | -1) => {
    const sections = [...(ref.current?.querySelectorAll<HTMLElement>("[data-diff-file]") ?? [])];
    const section = sections[placeAmong(sections, step)];
    if (!section) {
      if (step === 1 && found.hasMore) found.fetchMore();
      return;
    }
    scrollSteadily(section, { block: "start" });
    section.querySelector<HTMLElement>("[data-fold]")?.focus({ preventScroll: true });
  };
  usePageKeys({ j: () => go(1), k: () => go(-1) });
  return ref;
}

/** From the file that has the focus, where that is in sight: the last ones may be so short that none gets to the edge. */
function placeAmong(sections: readonly HTMLElement[], step: 1 | -1): number {
  const boxes = sections.map((section) => section.getBoundingClientRect());
  const focused = sections.findIndex((section) => section.contains(document.activeElement));
  const box = boxes[focused];
  if (box && box.top > -1 && box.top < window.innerHeight) return focused + step;
  return step === 1
    ? boxes.findIndex(({ top }) => top > nearEdgePx)
    : boxes.findLastIndex(({ top }) => top < -1);
}
