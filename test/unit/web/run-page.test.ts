import { describe, expect, it } from "vitest";
import { edgesOf, placesOf } from "../../../web/src/features/runs/graph-layout.ts";
import { scrolledHeight, scrollRatio } from "../../../web/src/features/runs/log/layout.ts";
import { hexOf, markSpans } from "../../../web/src/features/runs/log/spans.ts";
import { plainStyle } from "../../../web/src/features/runs/log/sgr.ts";
import { phaseSpans } from "../../../web/src/features/runs/phases.ts";
import { formatRunHash, parseRunHash, type RunHash } from "../../../web/src/features/runs/run-hash.ts";

describe("the address within a run", () => {
  it.each<RunHash>([
    { job: "build", attempt: null, step: null, line: null },
    { job: "build (a:b@2, é/%)", attempt: 3, step: null, line: null },
    { job: "test", attempt: 1, step: "setup", line: 12 },
    { job: "test", attempt: 1, step: "~data:base", line: 1_000_000 },
    { job: "test", attempt: 2, step: "0", line: null },
  ])("$job $attempt $step $line is read as it was written", (place) => {
    expect(parseRunHash(formatRunHash(place))).toEqual(place);
  });

  it("is nothing, or only a part, when it makes no sense", () => {
    for (const hash of ["", "#", "#@2", "#%E0%A4%A", "#:1:2"]) expect(parseRunHash(hash)).toBeNull();
    expect(parseRunHash("#build@x:0:-1")).toEqual({ job: "build", attempt: null, step: "0", line: null });
    expect(parseRunHash("#build@0:0:1e9")?.line).toBeNull();
  });
});

describe("the time line of a job", () => {
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const attempt = {
    attempt: 1,
    status: "success",
    queue_time: 2,
    queued_at: at(3),
    started_at: at(5),
    finished_at: at(20),
    steps: [{ started_at: at(9) }],
  } as const;
  const told = (job: Parameters<typeof phaseSpans>[0], begin: number, now: number) =>
    phaseSpans(job, begin * 1000, now * 1000).map(
      ({ phase, attempt: number, from, to }) => `${number} ${phase} ${from / 1000}-${to / 1000}`,
    );

  it("is waiting, queue, set-up and run, for each attempt", () => {
    const second = {
      ...attempt,
      attempt: 2,
      queued_at: at(25),
      started_at: at(26),
      finished_at: null,
      steps: [],
    };
    expect(told({ status: "running", attempts: [attempt, second] }, 0, 40)).toEqual([
      "1 waiting 0-3",
      "1 queue 3-5",
      "1 setup 5-9",
      "1 run 9-20",
      "2 waiting 20-25",
      "2 queue 25-26",
      "2 setup 26-40",
    ]);
  });

  it("runs from the first start on, whichever step that was of those that run at the same time", () => {
    const steps = [{ started_at: null }, { started_at: at(11) }, { started_at: at(8) }];
    expect(told({ status: "success", attempts: [{ ...attempt, steps }] }, 3, 20).slice(1)).toEqual([
      "1 setup 5-8",
      "1 run 8-20",
    ]);
  });

  it("is waiting while nothing has begun, and empty for what never will", () => {
    expect(told({ status: "waiting", attempts: [] }, 0, 7)).toEqual(["1 waiting 0-7"]);
    expect(told({ status: "skipped", attempts: [] }, 0, 7)).toEqual([]);
    const queued = { ...attempt, started_at: null, finished_at: null, steps: [] };
    expect(told({ status: "queued", attempts: [queued] }, 0, 7)).toEqual(["1 waiting 0-3", "1 queue 3-7"]);
  });
});

describe("the graph of a run", () => {
  it("puts stages beside each other and draws a curve for each need that is there", () => {
    const stages = [
      {
        jobs: [
          { key: "a", needs: [] },
          { key: "b", needs: ["a"] },
        ],
      },
      { jobs: [{ key: "c", needs: ["a", "gone"] }] },
    ];
    const { places, width, height } = placesOf(stages);
    expect(places.get("a")?.x).toBe(0);
    expect(places.get("c")?.x).toBeGreaterThan(232);
    expect(places.get("b")?.y).toBeGreaterThan(places.get("a")?.y ?? 0);
    expect(width).toBe(508);
    expect(height).toBe(118);
    expect(edgesOf(stages, places).map(({ from, to }) => `${from}>${to}`)).toEqual(["a>b", "a>c"]);
    expect(placesOf([]).width).toBe(0);
  });
});

describe("the spans of a line", () => {
  it("have colours of the palette", () => {
    expect([hexOf(16), hexOf(208), hexOf(231), hexOf(232), hexOf(255)]).toEqual([
      "#000000",
      "#ff8700",
      "#ffffff",
      "#080808",
      "#eeeeee",
    ]);
    expect([hexOf(null), hexOf(3), hexOf("#010203"), hexOf("paper")]).toEqual([
      undefined,
      undefined,
      "#010203",
      undefined,
    ]);
  });

  it("set apart what is searched, over changes of colour, and lose nothing", () => {
    const red = { ...plainStyle, colour: 1 };
    const spans = [
      { text: "an Er", style: red },
      { text: "ror, err", style: plainStyle },
      { text: "OR", style: red },
    ];
    expect(markSpans(spans, "error").map(({ text, isFound }) => (isFound ? `[${text}]` : text))).toEqual([
      "an ",
      "[Er]",
      "[ror]",
      ", ",
      "[err]",
      "[OR]",
    ]);
    expect(markSpans(spans, "").map(({ text }) => text)).toEqual(["an Er", "ror, err", "OR"]);
  });
});

describe("a log taller than an element can be", () => {
  it("is reached to its end", () => {
    expect([scrolledHeight(20_000_000), scrollRatio(20_000_000, 700)]).toEqual([20_000_000, 1]);
    const height = 100_000_000;
    const lastTop = scrolledHeight(height) - 700;
    expect(lastTop * scrollRatio(height, 700)).toBeCloseTo(height - 700, 3);
  });
});
