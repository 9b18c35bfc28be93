/** Chromium, signed in at the bench's instance, and what a page there can be asked about itself. */
import type { Browser, Page } from "playwright-core";
import { eventually } from "../test/support/eventually.ts";
import { adminPassword, type TestInstance } from "../test/support/instance.ts";
import { openVisitor, type Visitor } from "../test/support/web/visitor.ts";

/** A window of its own, with nothing cached. */
export async function openSignedIn(browser: Browser, instance: TestInstance): Promise<Visitor> {
  const visitor = await openVisitor(browser, instance.url, { isMeasured: true });
  await visitor.signIn(instance.adminName, adminPassword);
  return visitor;
}

/** Goes to a page and waits until nothing more has been fetched for a while. */
export async function goAndSettle({ goto, page }: Visitor, path: string): Promise<void> {
  await goto(path);
  await page.locator("main h1, main h2").first().waitFor();
  await untilTrue(
    page,
    `performance.now() > 700 + Math.max(0, ...performance.getEntriesByType("resource").map((entry) => entry.responseEnd))`,
  );
}

/** Of the page of a run; it opens some by itself, at a time of its own. */
export async function openStep(page: Page, name: string): Promise<void> {
  const head = page.getByRole("button", { name });
  const isOpen = async () => (await head.getAttribute("aria-expanded")) === "true";
  await eventually(async () => (await isOpen()) || (await head.click(), isOpen()), { timeoutMs: 30_000 });
}

/** The page's policy forbids what Playwright's own `waitForFunction` does with texts. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await eventually(() => page.evaluate<boolean>(expression), { timeoutMs: 60_000 });
}

/** Of the page as it is now; `largest-contentful-paint` in milliseconds since the navigation began. */
export function largestPaintMs(page: Page): Promise<number> {
  return page.evaluate(`new Promise((done) => {
    new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
      .observe({ type: "largest-contentful-paint", buffered: true });
  })`);
}

/** How many times a request to the API began only after another one had been answered, plus one. */
export function apiRoundTrips(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const asked = performance.getEntriesByType("resource")
      .filter((entry) => entry.name.includes("/api/v1/"))
      .sort((a, b) => a.startTime - b.startTime);
    let trips = 0;
    let answered = -1;
    for (const entry of asked) {
      if (entry.startTime < answered) continue;
      trips += 1;
      answered = Math.min(...asked.filter((other) => other.startTime >= entry.startTime).map((other) => other.responseEnd));
    }
    return trips;
  })()`);
}

/** Scrolls the tallest part of the page from end to end in steps of a screen, one a frame; the gaps between frames. */
export function scrollThrough(page: Page, steps: number): Promise<{ gapsMs: number[]; height: number }> {
  return page.evaluate(`(async () => {
    const tall = [...document.querySelectorAll("main *"), document.documentElement]
      .filter((element) => element.scrollHeight > element.clientHeight + 100 && getComputedStyle(element).overflowY !== "visible" || element === document.documentElement)
      .sort((a, b) => b.scrollHeight - a.scrollHeight)[0];
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const gapsMs = [];
    let last = await frame();
    for (let step = 0; step < ${steps}; step++) {
      tall.scrollTop = (tall.scrollHeight * step) / ${steps};
      const now = await frame();
      gapsMs.push(now - last);
      last = now;
    }
    return { gapsMs, height: tall.scrollHeight };
  })()`);
}

/** How many the page has made. */
export function apiRequests(page: Page): Promise<number> {
  return page.evaluate(
    `performance.getEntriesByType("resource").filter((entry) => entry.name.includes("/api/v1/")).length`,
  );
}

/** Types into a field as somebody quick does; the gaps between frames meanwhile, and the longest task. */
export async function typeAndWatch(
  page: Page,
  label: string,
  characters: number,
): Promise<{ gapsMs: number[]; longestMs: number }> {
  const field = page.getByLabel(label, { exact: true });
  await field.scrollIntoViewIfNeeded();
  await field.click();
  await page.evaluate(`(() => {
    const watched = { gapsMs: [], longestMs: 0, isOver: false };
    globalThis.watchedTyping = watched;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watched.longestMs = Math.max(watched.longestMs, duration);
    }).observe({ type: "longtask" });
    let last = performance.now();
    const look = (now) => {
      watched.gapsMs.push(now - last);
      last = now;
      if (!watched.isOver) requestAnimationFrame(look);
    };
    requestAnimationFrame((now) => { last = now; requestAnimationFrame(look); });
  })()`);
  const sentence = "Typing **must** stay quick, `always`. ";
  const text = sentence.repeat(Math.ceil(characters / sentence.length)).slice(0, characters);
  await field.pressSequentially(text, { delay: 30 });
  return page.evaluate(
    "(() => { watchedTyping.isOver = true; const { gapsMs, longestMs } = watchedTyping; return { gapsMs, longestMs }; })()",
  );
}
