/** The pages of a merge request in Chromium: what they ask for, typing a comment below 300 others, and the files of a large change. */
import type { Browser, Page } from "playwright-core";
import { makeBranches, openMergeRequests, untilCompared } from "../branches.ts";
import { addComments } from "../fill.ts";
import { atMost } from "../figures.ts";
import {
  apiRequests,
  apiRoundTrips,
  goAndSettle,
  openSignedIn,
  scrollThrough,
  typeAndWatch,
  untilTrue,
} from "../browser.ts";
import { openChromium } from "../../test/support/web/visitor.ts";
import type { Bench, Figure, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { quantile } from "../statistics.ts";

const frameAtMostMs = 50;
/** That of the repository, and that of the merge request with its conversation. */
const tripsAtMost = 2;

async function run(bench: Bench): Promise<ScenarioResult> {
  const { changedFiles, comments } = bench.size.collaboration;
  const made = await makeBranches(bench, {
    name: "merge-request-pages",
    files: changedFiles,
    branches: 1,
    commits: 1,
    changed: changedFiles,
  });
  const numbers = await openMergeRequests(bench, made, 1);
  const body =
    "Comment # says **something** about `code`:\n\n```ts\nconst value = 1;\n```\n\n- [ ] one\n- [x] two";
  await addComments(bench, made, { numbers, count: comments, body });
  await untilCompared(bench, made.id);
  const path = `/${bench.instance.adminName}/merge-request-pages/merge-requests/${numbers[0]}`;
  const browser = await openChromium([], { isMeasured: true });
  try {
    return {
      figures: [...(await conversation(bench, browser, path)), await files(bench, browser, `${path}/files`)],
      parts: [],
    };
  } finally {
    await browser.close();
  }
}

async function conversation(bench: Bench, browser: Browser, path: string): Promise<Figure[]> {
  const { typed, comments } = bench.size.collaboration;
  const visitor = await openSignedIn(browser, bench.instance);
  await goAndSettle(visitor, path);
  const trips = await apiRoundTrips(visitor.page);
  const requests = await apiRequests(visitor.page);
  await showAll(visitor.page);
  const { longestMs, gapsMs } = await typeAndWatch(visitor.page, "Add a comment", typed);
  await visitor.close();
  return [
    atMost("round trips to the API for its page", {
      value: trips,
      limit: tripsAtMost,
      unit: "",
      more: `${requests} requests`,
    }),
    atMost(`longest frame while ${countOf(typed)} characters are typed below ${countOf(comments)} comments`, {
      value: Math.max(0, ...gapsMs),
      limit: frameAtMostMs,
      unit: "ms",
      more: `99 of 100 within ${quantile(gapsMs, 0.99).toFixed(0)} ms; longest task ${longestMs.toFixed(0)} ms`,
    }),
  ];
}

/** Pages of comments come when somebody asks for more. */
async function showAll(page: Page): Promise<void> {
  const more = page.getByRole("button", { name: "Load more" });
  for (let clicks = 0; clicks < 20 && (await more.count()) > 0; clicks++) {
    await more.first().click();
    await untilTrue(page, `!document.querySelector("main [aria-busy=true]")`);
  }
}

async function files(bench: Bench, browser: Browser, path: string): Promise<Figure> {
  const { changedFiles } = bench.size.collaboration;
  const visitor = await openSignedIn(browser, bench.instance);
  await goAndSettle(visitor, path);
  const { gapsMs } = await scrollThrough(visitor.page, bench.size.scrollSteps);
  await visitor.close();
  return atMost(`longest frame while the files of a change of ${countOf(changedFiles)} scroll`, {
    value: Math.max(...gapsMs),
    limit: frameAtMostMs,
    unit: "ms",
    more: `99 of 100 within ${quantile(gapsMs, 0.99).toFixed(0)} ms`,
  });
}

export const mergeRequestPagesScenario: Scenario = {
  number: 40,
  title: () => "The pages of a merge request in Chromium",
  isLong: true,
  run,
};
