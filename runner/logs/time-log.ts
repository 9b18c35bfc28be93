/** When lines were first seen, as runs; a rewind finds the same times again. Lines are numbered from 0. */
import type { TimeRun } from "@forgeline/schemas/logs/frame.ts";

export class TimeLog {
  /** Each entry holds from its line to the next entry's. */
  #entries: { line: number; timeMs: number }[] = [];

  /** Lines from `line` on are seen now; does nothing for lines seen before. */
  seen(line: number, timeMs: number): void {
    const last = this.#entries.at(-1);
    if (!last || (line > last.line && timeMs > last.timeMs)) this.#entries.push({ line, timeMs });
  }

  /** Runs for `count` lines that begin at `line`. */
  runs(line: number, count: number): TimeRun[] {
    const runs: TimeRun[] = [];
    let index = Math.max(
      0,
      this.#entries.findLastIndex((entry) => entry.line <= line),
    );
    for (let at = line, left = count; left > 0; index++) {
      const timeMs = this.#entries[index]?.timeMs ?? Date.now();
      const next = this.#entries[index + 1]?.line ?? Infinity;
      const lines = Math.min(left, Math.max(0, next - at));
      if (lines > 0) runs.push({ lines, timeMs });
      at += lines;
      left -= lines;
    }
    return runs;
  }

  forgetBefore(line: number): void {
    const needed = this.#entries.findLastIndex((entry) => entry.line <= line);
    if (needed > 0) this.#entries.splice(0, needed);
  }
}
