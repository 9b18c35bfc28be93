/** A viewer of one log stream that connects again where it was whenever its server goes away, as a browser page does. */
import { setTimeout as sleep } from "node:timers/promises";
import { watchRun } from "./instance-run.ts";
import type { TestInstance } from "./instance.ts";

export interface SteadyViewer {
  /** It has been let in for the first time. */
  open: Promise<void>;
  /** Resolves with everything that came, once the run has ended; frames that do not adjoin reject. */
  whole: Promise<string>;
  /** Codes with which connections were closed. */
  closeCodes: number[];
}

export function steadyViewer(
  instance: TestInstance,
  run: { number: number },
  options: { job: string; url?: string },
): SteadyViewer {
  const closeCodes: number[] = [];
  const opened = Promise.withResolvers<void>();
  async function watch(): Promise<string> {
    let text = Buffer.alloc(0);
    for (;;) {
      const query = `?job=${options.job}&step=0&from=${text.length}`;
      const viewer = await watchRun(instance, run, query, options.url);
      void viewer.opened.then(opened.resolve);
      const { code } = await viewer.closed;
      closeCodes.push(code);
      const stream = viewer.messages.findLast((message) => message.t === "stream");
      if (stream) text = Buffer.concat([text, viewer.text(stream.stream_id)]);
      if (viewer.messages.some((message) => message.t === "end")) return text.toString();
      await sleep(50 + Math.random() * 100);
    }
  }
  return { open: opened.promise, whole: watch(), closeCodes };
}
