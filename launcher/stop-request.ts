/**
 * The wish to stop: Ctrl-C, TERM, a closed terminal, or the end of whoever started us. The first one aborts `signal`, which ends whatever is under way;
 * a later one gives up on order and kills the children.
 */
import { killSupervised } from "./supervisor.ts";

/** npm and our own start script pass on what the terminal has sent to all of us already. */
const samePressMs = 700;

export interface StopRequest {
  /** Aborted at the first request. */
  signal: AbortSignal;
  /** Resolves at the first request. */
  asked: Promise<void>;
}

/** `withStarter`: also when `scripts/bootstrap.mjs`, which started us and holds a channel to us, was killed. */
export function listenForStop({ withStarter = false } = {}): StopRequest {
  const controller = new AbortController();
  const asked = new Promise<void>((resolve) => {
    controller.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  let firstAt: number | undefined;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => {
      const now = performance.now();
      firstAt ??= now;
      if (!controller.signal.aborted) controller.abort(new StoppedError());
      else if (now - firstAt > samePressMs) {
        killSupervised();
        process.exit(1);
      }
    });
  if (withStarter) onStarterGone(() => controller.abort(new StoppedError()));
  return { signal: controller.signal, asked };
}

function onStarterGone(stop: () => void): void {
  process.once("disconnect", stop);
  // It must not keep a process alive that has nothing more to do.
  process.channel?.unref();
  if (process.connected === false) stop();
}

/** Why something under way ended: it was asked to. */
export class StoppedError extends Error {
  constructor() {
    super("asked to stop");
    this.name = "StoppedError";
  }
}
