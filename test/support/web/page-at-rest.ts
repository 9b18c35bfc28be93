/** Waits until a page has fetched all it needs and done all it does with it, without waiting longer to be sure. */
import type { Page, Request } from "playwright-core";

export interface PageRest {
  /** Rejects after `timeoutMs` with what is still under way. */
  wait(timeoutMs: number): Promise<void>;
}

/** Those that stay open for as long as the page does. */
const lasting = new Set(["eventsource", "websocket", "ping"]);

/**
 * Two turns in which the page has nothing to do: what the first let begin, the second comes after. Not by `requestIdleCallback`:
 * after keys were pressed, Chromium sometimes finds no idle time for as long as the page stays.
 */
const whenIdle = (then: string) => `scheduler.postTask(${then}, { priority: "background" })`;
const idleTwice = `new Promise((done) => ${whenIdle(`() => setTimeout(() => ${whenIdle("() => done()")})`)})`;

export function watchForRest(page: Page): PageRest {
  const underWay = new Set<Request>();
  let begun = 0;
  let changed = Promise.withResolvers<void>();
  const tell = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const end = (request: Request) => underWay.delete(request) && tell();
  page.on("request", (request) => {
    if (lasting.has(request.resourceType())) return;
    begun += 1;
    underWay.add(request);
  });
  page.on("requestfinished", end);
  page.on("requestfailed", end);

  async function untilNothingIsFetched(signal: AbortSignal): Promise<void> {
    const late = Promise.withResolvers<never>();
    const urls = () => [...underWay].map((request) => request.url()).join(", ");
    const reject = () => late.reject(new Error(`the page still fetches ${urls()}`));
    signal.addEventListener("abort", reject, { once: true });
    while (underWay.size > 0) await Promise.race([changed.promise, late.promise]);
    signal.removeEventListener("abort", reject);
  }

  return {
    async wait(timeoutMs) {
      const signal = AbortSignal.timeout(timeoutMs);
      for (let seen = -1; seen !== begun || underWay.size > 0;) {
        signal.throwIfAborted();
        await untilNothingIsFetched(signal);
        seen = begun;
        await page.evaluate(idleTwice).catch((error: unknown) => {
          // It went on to another page: begin again with that.
          if (!/context was destroyed|navigat/i.test(String(error))) throw error;
          seen = -1;
        });
      }
    },
  };
}
