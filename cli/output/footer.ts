/** The last line of the terminal: what runs now, and for how long. Nothing where the output is not a terminal. */
import { terminalSafe } from "./terminal-safe.ts";
import { colors } from "./colors.ts";

export interface Footer {
  /** Runs `write` with the line out of the way. */
  around(write: () => void): void;
  track(job: string, running: boolean): void;
  close(): void;
}

const intervalMs = 250;

export function createFooter(out: NodeJS.WriteStream): Footer {
  const running = new Map<string, number>();
  let shown = false;
  const clear = () => {
    if (shown) out.write("\r\u001b[2K");
    shown = false;
  };
  const draw = () => {
    if (!out.isTTY || running.size === 0) return;
    const parts = [...running].map(
      ([name, since]) => `● ${terminalSafe(name)} ${Math.round((performance.now() - since) / 1000)}s`,
    );
    out.write(colors.dim(parts.join("  ").slice(0, Math.max(10, (out.columns ?? 80) - 1))));
    shown = true;
  };
  const redraw = () => {
    clear();
    draw();
  };
  const timer = out.isTTY ? setInterval(redraw, intervalMs) : undefined;
  timer?.unref();
  return {
    around(write) {
      clear();
      write();
      draw();
    },
    track(job, isRunning) {
      if (isRunning) running.set(job, performance.now());
      else running.delete(job);
    },
    close() {
      clearInterval(timer);
      clear();
      running.clear();
    },
  };
}
