/** Chromium, signed in at the bench's instance, and what a page there can be asked about itself. */
import { chromium, type Browser, type Page } from "playwright-core";
import { eventually } from "../test/support/eventually.ts";
import { adminPassword, type TestInstance } from "../test/support/instance.ts";

export async function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

/** A window of its own, with nothing cached. */
export async function openSignedIn(browser: Browser, instance: TestInstance): Promise<Page> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1280, height: 900 },
  });
  // The session is all that signing in by the page would leave.
  const answer = await context.request.post(`${instance.url}/api/v1/user/sessions`, {
    data: { username: instance.adminName, password: adminPassword },
  });
  if (!answer.ok()) throw new Error(`signing in gave ${answer.status()}`);
  return context.newPage();
}

/** Goes to a page and waits until nothing more has been fetched for a while. */
export async function goAndSettle(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator("main h1, main h2").first().waitFor();
  await untilTrue(
    page,
    `performance.now() > 700 + Math.max(0, ...performance.getEntriesByType("resource").map((entry) => entry.responseEnd))`,
  );
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
