/** How fast something is against `tar` with the same files. */
import type { Figure } from "../scenario.ts";

export function speedFigure(
  what: string,
  { ours, tar, atLeast }: { ours: number; tar: number; atLeast: number },
): Figure {
  const ratio = tar / ours;
  return {
    what,
    value: `${ratio.toFixed(2)} × the speed (${ours.toFixed(0)} ms against ${tar.toFixed(0)} ms)`,
    limit: { text: `≥ ${atLeast} ×`, met: ratio >= atLeast },
  };
}
