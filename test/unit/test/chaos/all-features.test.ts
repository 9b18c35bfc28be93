/** The parts of the scenario `all-features` that need no instance: its files, its plans of faults, and its judge. */
import { describe, expect, it } from "vitest";
import { compile } from "@forgeline/compiler/compile.ts";
import type { PipelineEventRecord, Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { planFaults } from "../../../chaos/scenarios/all-features/faults.ts";
import { judgeRunOf, type Evidence } from "../../../chaos/scenarios/all-features/judge-jobs.ts";
import { mostAtOnce } from "../../../chaos/scenarios/all-features/judge-slots.ts";
import { mainFiles } from "../../../chaos/scenarios/all-features/pipeline-files.ts";
import { plannedJobs, type PlannedJob } from "../../../chaos/scenarios/all-features/planned-jobs.ts";
import type { PlayedRound } from "../../../chaos/scenarios/all-features/play.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

describe("the files", () => {
  it("have sixty jobs, and those that are planned", () => {
    const { plan, diagnostics } = compile({
      file: ".forgeline/all.yml",
      text: mainFiles[".forgeline/all.yml"] ?? "",
      templates: Object.fromEntries(
        ["steps", "job"].map((name) => [`./ci/${name}.yml`, { text: mainFiles[`ci/${name}.yml`] ?? "" }]),
      ),
    });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(plan?.jobs.map(({ key }) => key)).toEqual(plannedJobs.map(({ key }) => key));
    expect(plannedJobs.reduce((sum, { values }) => sum + (values?.length ?? 1), 0)).toBe(60);
  });
});

describe("faults", () => {
  it("are one to four of different parts, at most one of them longer than a lease, and the same for a seed", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const faults = planFaults(seededRandom(seed), 50_000);
      const parts = faults.map(({ part }) => part);
      expect(faults.length).toBeGreaterThanOrEqual(1);
      expect(faults.length).toBeLessThanOrEqual(4);
      expect(new Set(parts).size, `seed ${seed}`).toBe(parts.length);
      expect(faults.filter(({ mayLose }) => mayLose !== null).length).toBeLessThanOrEqual(1);
      const again = planFaults(seededRandom(seed), 50_000);
      expect(again.map(({ what, atMs }) => [what, atMs])).toEqual(
        faults.map(({ what, atMs }) => [what, atMs]),
      );
    }
  });
});

const open = (id: string) => ({ id, opens: true });
const close = (id: string) => ({ id, opens: false });

it.each([
  [[open("a"), close("a"), open("b"), close("b")], 1],
  [[open("a"), open("b"), close("a"), close("b")], 2],
  [[open("a"), open("a"), close("a")], 1],
])("counts what was open at once (%#)", (moments, most) => expect(mostAtOnce(moments)).toBe(most));

const planned: PlannedJob[] = [{ key: "apart", ends: ["success"], lines: 1 }];
interface Told {
  status: string;
  reason?: string;
}

/** One job whose attempts ended like this; `history` are the statuses of the job. */
function problemsOf(
  attempts: readonly Told[],
  options: { job?: Told; history?: string[]; mayLose?: string } = {},
): string[] {
  const shown = ({ status, reason }: Told) => ({ status, reason: reason ?? null, message: null });
  const last = options.job ?? attempts.at(-1) ?? { status: "success" };
  const own = attempts.map((one, index) => ({
    ...shown(one),
    id: `att_${index}`,
    attempt: index + 1,
    runner: { id: "rnr", name: "runner-1" },
  }));
  const job = {
    ...shown(last),
    id: "job",
    key: "apart",
    matrix: null,
    allowed_failure: false,
    attempts: own,
  };
  const stage = { ...shown(last), id: "stg", name: "main", placement: null, jobs: [job] };
  const run = { ...shown(last), id: "pipe", stages: [stage] };
  const events = [
    ...["pipe", "stg"].map((id) => ({ node_id: id, old_status: null, new_status: last.status })),
    ...own.map(({ id, status }) => ({ node_id: id, old_status: "running", new_status: status })),
    ...(options.history ?? ["queued", last.status]).map((status, index, all) => ({
      node_id: "job",
      old_status: all[index - 1] ?? null,
      new_status: status,
    })),
  ];
  const evidence: Evidence = { looked: new Map(), findings: [] };
  const struck = options.mayLose === undefined ? [] : [{ mayLose: options.mayLose }];
  const round = { struck, decided: new Map() } as unknown as PlayedRound;
  const judged = { run: run as unknown as Pipeline, events: events as PipelineEventRecord[], planned };
  judgeRunOf(evidence, round, judged);
  return evidence.findings.map(({ problem }) => problem);
}

describe("the judge", () => {
  const lost = { status: "error", reason: "runner_lost" };
  const good = { status: "success" };
  it("finds nothing wrong with what is right", () => {
    expect(problemsOf([good])).toEqual([]);
    expect(problemsOf([lost, good], { mayLose: "runner-1" })).toEqual([]);
  });
  it.each([
    ["a wrong status", [{ status: "failed", reason: "exit:1" }], {}],
    ["a loss that no fault explains", [lost, good], {}],
    ["a loss by the fault of another runner", [lost, good], { mayLose: "runner-0" }],
    ["a job that stays lost", [lost], { mayLose: "runner-1" }],
    ["two ends", [good], { history: ["queued", "success", "success"] }],
    ["a transition that is missing", [good], { history: ["queued", "success", "queued", "success"] }],
    ["a history that ends elsewhere", [good], { history: ["queued", "failed"] }],
    ["a job whose attempt says something else", [good], { job: { status: "cancelled", reason: "user:ada" } }],
  ])("finds %s", (_, attempts, options) => expect(problemsOf(attempts, options)).not.toEqual([]));
});
