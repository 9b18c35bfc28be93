/** The web interface in Chromium: what a page loads, when it is painted, how soon a line is seen, how a long log scrolls. */
import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import {
  apiRoundTrips,
  largestPaintMs,
  goAndSettle,
  openSignedIn,
  openStep,
  scrollThrough,
  untilTrue,
} from "../browser.ts";
import { openChromium } from "../../test/support/web/visitor.ts";
import { scriptBytes } from "../../test/support/web/script-bytes.ts";
import { atMost } from "../figures.ts";
import type { Bench, Figure, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { median, quantile } from "../statistics.ts";
import { untilAtRest } from "../warm.ts";

const limits = { scriptKb: 150, paintMs: 800, lineMs: 150, frameMs: 50, trips: 2 };

async function run(bench: Bench): Promise<ScenarioResult> {
  const browser = await openChromium([], { isMeasured: true });
  try {
    const figures = [
      ...(await firstLoads(bench, browser)),
      await liveLine(bench, browser),
      await longLog(bench, browser),
    ];
    return { figures, parts: [] };
  } finally {
    await browser.close();
  }
}

/** Each in a window with nothing cached. */
async function firstLoads(bench: Bench, browser: Browser): Promise<Figure[]> {
  const { instance, repository, size } = bench;
  const done = await runToItsEnd(bench, "first-warm");
  const bytes: number[] = [];
  const paints: number[] = [];
  const trips: number[] = [];
  for (let round = 0; round < size.rounds; round++) {
    // Chromium cuts what is under way when a Docker network comes or goes.
    await untilAtRest(bench);
    const visitor = await openSignedIn(browser, instance);
    await goAndSettle(visitor, pageOf(bench, done));
    bytes.push(await scriptBytes(visitor.page));
    paints.push(await largestPaintMs(visitor.page));
    await goAndSettle(visitor, `/${instance.adminName}/${repository.name}`);
    trips.push(await apiRoundTrips(visitor.page));
    await visitor.close();
  }
  return [
    atMost("script on first load of a run's page, compressed", {
      value: median(bytes) / 1000,
      limit: limits.scriptKb,
      unit: "KB",
    }),
    atMost("largest contentful paint of a run's page (median)", {
      value: median(paints),
      limit: limits.paintMs,
      unit: "ms",
    }),
    atMost("round trips to the API for a repository's page", {
      value: Math.max(...trips),
      limit: limits.trips,
      unit: "",
    }),
  ];
}

/** From the container's look at the clock until the text stands in the page; both by the machine's uptime. */
async function liveLine(bench: Bench, browser: Browser): Promise<Figure> {
  const { seen, skipped } = bench.size.clock;
  const { page, goto, close } = await openSignedIn(browser, bench.instance);
  const bootedMs = Date.now() - Number((await readFile("/proc/uptime", "utf8")).split(" ")[0]) * 1000;
  const { number } = await trigger(bench, "clock");
  await goto(pageOf(bench, number));
  await openStep(page, "clock");
  const delays = await page.evaluate<number[]>(`new Promise((done) => {
    const seen = new Map();
    const look = () => {
      for (const [, written] of document.body.innerText.matchAll(/written at ([\\d.]+) \\./g))
        if (!seen.has(written)) seen.set(written, Date.now() - ${bootedMs} - Number(written) * 1000);
      if (seen.size < ${seen}) return;
      observer.disconnect();
      // What was there before the page followed does not count.
      done([...seen.values()].slice(${skipped}));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  })`);
  await close();
  return atMost("container writes a line → it stands in the page (median)", {
    value: median(delays),
    limit: limits.lineMs,
    unit: "ms",
  });
}

async function longLog(bench: Bench, browser: Browser): Promise<Figure> {
  const { lines, scrollSteps } = bench.size;
  const number = await runToItsEnd(bench, "lines");
  await untilAtRest(bench);
  const { page, goto, close } = await openSignedIn(browser, bench.instance);
  await goto(pageOf(bench, number));
  await openStep(page, "cat lines");
  await untilTrue(
    page,
    `[...document.querySelectorAll("main *")].some((element) => element.scrollHeight > ${lines * 10})`,
  );
  const { gapsMs } = await scrollThrough(page, scrollSteps);
  await close();
  const figure = atMost(`longest frame while ${countOf(lines)} lines scroll`, {
    value: Math.max(...gapsMs),
    limit: limits.frameMs,
    unit: "ms",
  });
  return { ...figure, value: `${figure.value}; 99 of 100 within ${quantile(gapsMs, 0.99).toFixed(0)} ms` };
}

async function trigger(
  { client, repository }: Bench,
  pipeline: string,
): Promise<{ id: string; number: number }> {
  return client.call("POST", `${repository.path}/pipelines`, { pipeline });
}

async function runToItsEnd(bench: Bench, pipeline: string): Promise<number> {
  const { id, number } = await trigger(bench, pipeline);
  await bench.client.watch(`${bench.repository.path}/pipelines/${id}`, {}).ended;
  return number;
}

function pageOf({ instance, repository }: Bench, number: number): string {
  return `/${instance.adminName}/${repository.name}/pipelines/${number}`;
}

export const webPagesScenario: Scenario = {
  number: 13,
  title: () => "Pages of the web interface in Chromium",
  run,
};
