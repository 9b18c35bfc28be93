/** Judges what jobs left behind: log lines, artifacts, caches, how often steps were begun. */
import { createHash } from "node:crypto";
import type { Artifact } from "@forgeline/schemas/artifacts/resource.ts";
import type { LogPage } from "@forgeline/schemas/logs/resource.ts";
import type { Pipeline, RunAttempt, RunJob } from "@forgeline/schemas/pipelines/resource.ts";
import { judgeLines } from "../../../support/numbered-lines.ts";
import { jobsOf, labelOf, note, type Evidence } from "./judge-jobs.ts";
import { lineCount, linesId, plannedFor, type PlannedJob } from "./planned-jobs.ts";
import { runsOf } from "./settings.ts";
import type { World } from "./world.ts";

const linesRight = "lines missing, doubled, out of order or garbled";
const completeRight = "short logs shown as complete, or whole ones as short";
const startsRight = "attempts whose step was begun more than once";
const artifactsRight = "artifacts torn, missing or doubled";
const cachesRight = "caches that are not whole";

export async function judgeLogs(
  evidence: Evidence,
  world: World,
  run: Pipeline,
  planned: readonly PlannedJob[],
) {
  for (const job of jobsOf(run)) {
    const plan = plannedFor(planned, job.key);
    if (plan.lines === 0) continue;
    for (const attempt of job.attempts) {
      judgeStarts(evidence, world, job, attempt);
      const first = linesId(job.key, job.matrix?.["n"]);
      await judgeLog(evidence, world, { run, job, attempt, step: 0, id: first, count: plan.lines });
      if (attempt.status !== "success") continue;
      for (const [step, add] of Object.entries(plan.more ?? {}))
        await judgeLog(evidence, world, {
          run,
          job,
          attempt,
          step: Number(step),
          id: first + add,
          count: plan.lines,
        });
    }
  }
}

function judgeStarts(evidence: Evidence, world: World, job: RunJob, { attempt, status }: RunAttempt): void {
  const begun = world.effects
    .all()
    .filter((one) => one.kind === "begin" && one.job === job.id && one.attempt === attempt).length;
  const isRight = begun === 1 || (begun === 0 && status !== "success");
  note(evidence, startsRight, isRight ? null : `${labelOf(job)} attempt ${attempt} was begun ${begun} times`);
}

interface LogToJudge {
  run: Pipeline;
  job: RunJob;
  attempt: RunAttempt;
  step: number;
  id: number;
  count: number;
}

async function judgeLog(evidence: Evidence, world: World, log: LogToJudge): Promise<void> {
  const { run, job, attempt, step, id, count } = log;
  const what = `${labelOf(job)} attempt ${attempt.attempt} (${attempt.status})`;
  const path = `${runsOf()}/${run.number}/logs?job=${job.id}&step=${step}&attempt=${attempt.attempt}`;
  const text = await world.text(`${path}&format=text`);
  // A step that was not begun has none.
  if (text === null && attempt.status !== "success") return;
  const verdict = judgeLines(text ?? "", id, count);
  // A step that failed by itself printed all of its lines first; who was stopped may have printed some of them.
  const isStopped = attempt.status === "error" || attempt.status === "cancelled";
  const garbled = isStopped ? Math.max(0, verdict.garbled - 1) : verdict.garbled;
  const gaps = verdict.last - (count - verdict.missing);
  const bad =
    verdict.doubled + verdict.outOfOrder + garbled + (isStopped ? Math.max(0, gaps) : verdict.missing);
  evidence.looked.set(linesRight, (evidence.looked.get(linesRight) ?? 0) + verdict.lines);
  if (bad > 0)
    evidence.findings.push({
      property: linesRight,
      problem: `${what} step ${step}: ${JSON.stringify(verdict)}`,
    });
  await judgeComplete(evidence, world, { what, path, attempt, missing: verdict.missing, isStopped });
}

async function judgeComplete(
  evidence: Evidence,
  world: World,
  {
    what,
    path,
    attempt,
    missing,
    isStopped,
  }: { what: string; path: string; attempt: RunAttempt; missing: number; isStopped: boolean },
): Promise<void> {
  const { complete } = await world.read<LogPage>(`${path}&tail=1`);
  const isWhole = complete && attempt.log_complete === true;
  // A step that was cut short on purpose may have a whole log of fewer lines.
  const isLie = isWhole && missing > 0 && attempt.reason === "runner_lost";
  const isHidden = !isWhole && !isStopped;
  const told = `${what}: log_complete ${String(attempt.log_complete)}, complete ${complete}, ${missing} lines are missing`;
  note(evidence, completeRight, isLie || isHidden ? told : null);
}

/** As the scripts of the jobs make them. */
const linesFile = (id: number) =>
  Array.from(
    { length: lineCount },
    (_, at) => `L ${id} ${at + 1} ${((at + 1) * 7919 + id * 104729) % 65521}\n`,
  ).join("");
const countFile = (to: number) => Array.from({ length: to }, (_, at) => `${at + 1}\n`).join("");
const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const bigSha = sha(countFile(1_300_000));

/** By name: the file to look at and what must be in it. */
function wantedArtifacts(run: Pipeline): Map<string, { path: string; sha256: string }> {
  const wanted = new Map<string, { path: string; sha256: string }>();
  for (const { key, matrix, status } of jobsOf(run)) {
    const n = matrix?.["n"] ?? "";
    if (status !== "success") continue;
    if (key === "unit")
      wanted.set(`unit-${n}`, { path: `out/unit-${n}`, sha256: sha(linesFile(linesId("unit", n))) });
    if (key === "pair") wanted.set(`pair-${n}`, { path: `made/pair-${n}`, sha256: sha("add\n") });
    if (key === "big") wanted.set("big", { path: "out/big", sha256: bigSha });
  }
  return wanted;
}

export async function judgeArtifacts(evidence: Evidence, world: World, run: Pipeline): Promise<void> {
  const path = `${runsOf()}/${run.number}/artifacts`;
  const found = await world.list<Artifact>(path);
  const wanted = wantedArtifacts(run);
  const names = found
    .map(({ name }) => name)
    .sort()
    .join();
  const expected = [...wanted.keys()].sort().join();
  note(evidence, artifactsRight, names === expected ? null : `the artifacts are ${names}, not ${expected}`);
  for (const { id, name } of found) {
    const file = wanted.get(name);
    const text = file ? await world.text(`${path}/${id}/files/${file.path}`) : null;
    const isSame = text !== null && sha(text) === file?.sha256;
    note(
      evidence,
      artifactsRight,
      isSame ? null : `${name} is not what its job wrote (${text?.length ?? "no"} characters)`,
    );
  }
}

interface CacheUseShown {
  job: { key: string };
  key: string;
  restored: { key: string } | null;
  saved: { size: number } | null;
}

/** The jobs that restore compare each byte and fail; here it is seen that a cache that was saved is found. */
export async function judgeCaches(evidence: Evidence, world: World, run: Pipeline): Promise<void> {
  const uses = await world.list<CacheUseShown>(`${runsOf()}/${run.number}/caches`);
  for (const { job, key, restored, saved } of uses) {
    const told = `${job.key} asked for ${key}, found ${restored?.key ?? "nothing"}, saved ${saved ? `${saved.size} bytes` : "nothing"}`;
    const isRight = job.key === "load" ? saved === null : saved !== null || restored?.key === key;
    const warned = jobsOf(run)
      .find(({ key: own }) => own === job.key)
      ?.attempts.some(({ warnings }) => warnings.length > 0);
    note(evidence, cachesRight, isRight || warned === true ? null : told);
  }
}
