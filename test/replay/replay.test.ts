/** Histories recorded from real runs against today's workflow code: a change that breaks running runs fails here. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "@temporalio/worker";
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";
import { describe, expect, it } from "vitest";
import "../support/quiet-temporal.ts";
import { bundleCache } from "../support/bundle-cache.ts";
import { historyFromText, type History } from "../support/histories.ts";

const directory = join(import.meta.dirname, "histories");
const names = (await readdir(directory)).filter((name) => name.endsWith(".json"));

async function replay(histories: { workflowId: string; history: History }[]) {
  const failures: string[] = [];
  let count = 0;
  const workflow = await workflowBundle(bundleCache);
  for await (const result of Worker.runReplayHistories({ workflowBundle: workflow }, histories)) {
    count += 1;
    if (result.error) failures.push(`${result.workflowId}: ${result.error.message}`);
  }
  return { count, failures };
}

const read = async (name: string) => historyFromText(await readFile(join(directory, name), "utf8"));

describe("recorded histories", () => {
  it("are there for every shape of run", () => {
    const shapes = [
      "success",
      "failure-and-retry",
      "tried-again",
      "cancel",
      "timeout",
      "rerun-1",
      "rerun-2",
      "reclaimed",
      "matrix-1",
      "matrix-2",
      "approved",
      "rejected",
      "approval-expired",
      "slots",
      "slot-superseded",
      "slot-outrun",
      "slot-left",
      "environment-wait",
      "child",
      "together",
      "declared-lost",
    ];
    expect(names).toEqual(expect.arrayContaining(shapes.map((shape) => `${shape}.json`)));
  });

  it("are replayed by today's code", async () => {
    const histories = await Promise.all(
      names.map(async (name) => ({ workflowId: name, history: await read(name) })),
    );
    expect(await replay(histories)).toEqual({ count: names.length, failures: [] });
  });

  it("would not be replayed by code that decides otherwise", async () => {
    const history = await read("success.json");
    const marker = history.events?.find((event) => event.markerRecordedEventAttributes);
    const attributes = marker?.markerRecordedEventAttributes;
    if (attributes) attributes.markerName = "something_else";
    expect((await replay([{ workflowId: "changed", history }])).failures).toHaveLength(1);
  });
});
