import { describe, expect, it } from "vitest";
import {
  edgesOf,
  fillerOf,
  listHeight,
  placesOf,
  scrollOf,
} from "../../../web/src/features/runs/graph-layout.ts";
import { scrolledHeight, scrollRatio } from "../../../web/src/features/runs/log/layout.ts";
import { hexOf, markSpans } from "../../../web/src/features/runs/log/spans.ts";
import { plainStyle } from "../../../web/src/features/runs/log/sgr.ts";
import { combinationLabel, groupsOf, standingOf } from "../../../web/src/features/runs/matrix-groups.ts";
import { phaseSpans } from "../../../web/src/features/runs/phases.ts";
import { formatRunHash, parseRunHash, type RunHash } from "../../../web/src/features/runs/run-hash.ts";
import { addressOf, jobAt, type Job } from "../../../web/src/features/runs/run-status.ts";

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
    const { places, width, height, widths } = placesOf(stages);
    // `b` needs `a` of its own stage, which gets a column more.
    expect(["a", "b", "c"].map((key) => places.get(key)?.x)).toEqual([0, 276, 552]);
    expect(places.get("b")?.y).toBe(places.get("a")?.y);
    expect([width, widths, height]).toEqual([784, [508, 232], 76]);
    expect(edgesOf(stages, placesOf(stages)).map(({ from, to }) => `${from}>${to}`)).toEqual(["a>b", "a>c"]);
    expect(placesOf([]).width).toBe(0);
  });

  it("is narrower where it then fits the window, and otherwise scrolls by whole columns", () => {
    const stages = ["a", "b", "c", "d", "e"].map((key) => ({ jobs: [{ key, needs: [] }] }));
    const fitted = placesOf(stages, 1160);
    expect([fitted.columnWidth, fitted.width]).toEqual([196, 1156]);
    expect(fillerOf(fitted.width, { columnWidth: 196, room: 1160 })).toBe(0);
    const { columnWidth, width, places } = placesOf(stages, 900);
    expect(columnWidth).toBe(232);
    const shown = { columnWidth, room: 900 };
    for (const { x } of places.values()) {
      const left = scrollOf(x, shown);
      expect(left % 276).toBe(0);
      expect([x >= left, x + columnWidth <= left + 900]).toEqual([true, true]);
      expect(left).toBeLessThanOrEqual(width + fillerOf(width, shown) - 900);
    }
  });

  it("moves what is below an opened matrix, whose list is no higher for 256 combinations than for nine", () => {
    const below = listHeight(3);
    const jobs = [
      { key: "a", needs: [], below },
      { key: "b", needs: [] },
    ];
    const [opened, closed] = [
      placesOf([{ jobs }]),
      placesOf([{ jobs: jobs.map((job) => ({ ...job, below: 0 })) }]),
    ];
    expect((opened.places.get("b")?.y ?? 0) - (closed.places.get("b")?.y ?? 0)).toBe(below);
    expect(opened.height - closed.height).toBe(below);
    expect(listHeight(256)).toBe(listHeight(9));
    expect(listHeight(2)).toBeLessThan(below);
  });
});

describe("the combinations of a matrix", () => {
  const job = (key: string, more: Partial<Job> = {}) =>
    ({
      id: `job_${key}`,
      key,
      name: key,
      matrix: null,
      needs: [],
      status: "success",
      attempts: [],
      allowed_failure: false,
      ...more,
    }) as unknown as Job;
  const unit = (version: string, more: Partial<Job> = {}) =>
    job("unit", {
      id: `job_${version}`,
      name: `unit (${version}, linux)`,
      matrix: { version, os: "linux" },
      ...more,
    });

  it("are one job with what their names have in common, and what tells each of them apart", () => {
    const groups = groupsOf([job("lint"), unit("20"), unit("22"), job("docs (all)")]);
    expect(groups.map(({ key, name, jobs }) => [key, name, jobs.length])).toEqual([
      ["lint", "lint", 1],
      ["unit", "unit", 2],
      ["docs (all)", "docs (all)", 1],
    ]);
    expect(groups[1]?.jobs.map((one) => combinationLabel(one, groups[1] as never))).toEqual([
      "20, linux",
      "22, linux",
    ]);
  });

  it("are called by their key where the file names each of them", () => {
    const named = [unit("20", { name: "Node 20" }), unit("22", { name: "Node 22" })];
    const [group] = groupsOf(named);
    expect(group?.name).toBe("unit");
    expect(named.map((one) => combinationLabel(one, group as never))).toEqual(["Node 20", "Node 22"]);
  });

  it("are an ordinary job while they are not known, and where there is only one", () => {
    expect(groupsOf([job("unit")]).map(({ name }) => name)).toEqual(["unit"]);
    const [alone] = groupsOf([unit("20")]);
    expect(alone?.name).toBe("unit (20, linux)");
  });

  it.each([
    ["error failed running", "error", 2, 2],
    ["success failed queued", "failed", 2, 1],
    ["success running queued waiting", "running", 1, 0],
    ["success waiting cancelled", "waiting", 2, 0],
    ["success cancelled skipped", "cancelled", 3, 0],
    ["success skipped", "success", 2, 0],
    ["skipped skipped", "skipped", 2, 0],
  ])("%s are together %s, with %i that are over", (statuses, status, done, failed) => {
    const jobs = statuses.split(" ").map((one, at) => unit(String(at), { status: one as Job["status"] }));
    expect(standingOf(jobs)).toEqual({ status, done, failed });
  });

  it("have addresses of their own, and share that of their key, which leads to the one that tells most", () => {
    const jobs = [job("lint"), unit("20"), unit("22", { status: "failed" })];
    expect(jobs.map(addressOf)).toEqual(["lint", "job_20", "job_22"]);
    for (const one of jobs) expect(jobAt(jobs, addressOf(one))).toBe(one);
    expect(jobAt(jobs, "unit")?.id).toBe("job_22");
    expect(jobAt(jobs, "job_lint")?.key).toBe("lint");
    expect(jobAt(jobs, "gone")).toBeUndefined();
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
