/**
 * Judges a finished run of `lines-pipeline.ts` by what every fault must leave intact, through public interfaces and
 * the effect recorder only. Answers with sentences: an empty list is a run that kept its promises.
 */
import type { PipelineEventRecord, RunAttempt, RunJob } from "@forgeline/schemas/pipelines/resource.ts";
import type { EffectRecorder } from "./effect-recorder.ts";
import { linesJobs, type LinesRepository, type LinesRun } from "./lines-pipeline.ts";
import { judgeLines, type LineVerdict } from "./numbered-lines.ts";

export interface RunJudgement {
  problems: string[];
  status: string;
  /** Attempts of all jobs. */
  attempts: number;
  lost: number;
  /** Lines that jobs of successful attempts printed, and how many of them are not in the log as printed. */
  lines: { bad: number; total: number };
  /** Attempts without exactly one end in the history. */
  ends: { bad: number; total: number };
  /** Attempts whose step was begun more than once, by what the outside world saw. */
  starts: { bad: number; total: number };
  /** Attempts whose log lacks something and is shown as complete. */
  falselyComplete: { bad: number; total: number };
  /** Attempts that began before the one before had ended, by what the outside world saw. */
  overlaps: number;
}

const endStatuses = new Set(["success", "failed", "error", "cancelled", "skipped"]);

export interface JudgeOptions {
  /** Attempts that may have been lost with their runner, for the whole run; default none. */
  mayLose?: number;
}

export async function judgeRun(
  repository: LinesRepository,
  effects: EffectRecorder,
  run: LinesRun,
  options: JudgeOptions = {},
): Promise<RunJudgement> {
  const [pipeline, events] = await Promise.all([repository.get(run), repository.events(run)]);
  const jobs = pipeline.stages.flatMap((stage) => stage.jobs);
  const judgement: RunJudgement = {
    problems: [],
    status: pipeline.status,
    attempts: 0,
    lost: 0,
    lines: { bad: 0, total: 0 },
    ends: { bad: 0, total: 0 },
    starts: { bad: 0, total: 0 },
    falselyComplete: { bad: 0, total: 0 },
    overlaps: overlapsOf(effects, run),
  };
  if (pipeline.status !== "success")
    judgement.problems.push(`the run ended as ${pipeline.status} (${pipeline.message})`);
  judgeEnds(judgement, events, { node: "pipeline", id: run.id, what: "the run" });
  for (const job of jobs)
    for (const attempt of job.attempts)
      await judgeAttempt(judgement, { repository, effects, run, events }, job, attempt);
  if (judgement.lost > (options.mayLose ?? 0))
    judgement.problems.push(`${judgement.lost} attempts were lost, ${options.mayLose ?? 0} may be`);
  const expected = jobs.length + judgement.lost;
  if (judgement.attempts !== expected)
    judgement.problems.push(`${judgement.attempts} attempts instead of ${expected}`);
  return judgement;
}

interface Evidence {
  repository: LinesRepository;
  effects: EffectRecorder;
  run: LinesRun;
  events: readonly PipelineEventRecord[];
}

async function judgeAttempt(
  judgement: RunJudgement,
  evidence: Evidence,
  job: RunJob,
  attempt: RunAttempt,
): Promise<void> {
  const what = `${job.key} attempt ${attempt.attempt}`;
  const { repository, effects, run, events } = evidence;
  judgement.attempts++;
  const lost = attempt.status === "error" && attempt.reason === "runner_lost";
  if (lost) judgement.lost++;
  else if (attempt.status !== "success")
    judgement.problems.push(`${what} ended as ${attempt.status} (${attempt.reason})`);
  judgeEnds(judgement, events, { node: "attempt", id: attempt.id, what });
  const begun = effects
    .of(run.id)
    .filter(
      (effect) => effect.kind === "begin" && effect.job === job.key && effect.attempt === attempt.attempt,
    ).length;
  judgement.starts.total++;
  if (begun > 1 || (begun === 0 && !lost)) {
    judgement.starts.bad++;
    judgement.problems.push(`${what} was begun ${begun} times`);
  }
  const log = await repository.log(run, job.key, attempt.attempt);
  const id = linesJobs[run.file][job.key] ?? 0;
  const verdict = judgeLines(log?.text ?? "", id, run.count);
  judgement.falselyComplete.total++;
  if (lost)
    judgeLostLog(
      judgement,
      what,
      verdict,
      run.count,
      attempt.log_complete === true || log?.complete === true,
    );
  else
    judgeWholeLog(
      judgement,
      what,
      verdict,
      run.count,
      attempt.log_complete === true && log?.complete === true,
    );
}

function judgeWholeLog(
  judgement: RunJudgement,
  what: string,
  verdict: LineVerdict,
  count: number,
  complete: boolean,
): void {
  const bad = verdict.missing + verdict.doubled + verdict.outOfOrder + verdict.garbled;
  judgement.lines.total += count;
  judgement.lines.bad += bad;
  if (bad > 0) judgement.problems.push(`${what}: ${JSON.stringify(verdict)}`);
  if (bad > 0 && complete) judgement.falselyComplete.bad++;
  if (bad === 0 && !complete) judgement.problems.push(`${what}: its whole log is shown as incomplete`);
}

/** What is there must be the beginning of what was printed; and it must not be shown as all of it. */
function judgeLostLog(
  judgement: RunJudgement,
  what: string,
  verdict: LineVerdict,
  count: number,
  complete: boolean,
): void {
  const last = count - verdict.missing;
  // A line that was cut at its end is no line of the beginning, but no lie either.
  const garbled = Math.max(0, verdict.garbled - 1);
  const bad = verdict.doubled + verdict.outOfOrder + garbled + Math.max(0, verdict.last - last);
  judgement.lines.bad += bad;
  judgement.lines.total += verdict.lines;
  if (bad > 0)
    judgement.problems.push(`${what}: what is left of its log is wrong: ${JSON.stringify(verdict)}`);
  // All of it may have come before the runner went away, only the result not.
  if (complete && verdict.missing > 0) {
    judgement.falselyComplete.bad++;
    judgement.problems.push(`${what}: the log of a lost attempt is shown as complete`);
  }
}

function judgeEnds(
  judgement: RunJudgement,
  events: readonly PipelineEventRecord[],
  node: { node: string; id: string; what: string },
): void {
  const ends = events.filter(
    (event) => event.node === node.node && event.node_id === node.id && endStatuses.has(event.new_status),
  ).length;
  judgement.ends.total++;
  if (ends === 1) return;
  judgement.ends.bad++;
  judgement.problems.push(`${node.what} has ${ends} ends in its history`);
}

function overlapsOf(effects: EffectRecorder, run: LinesRun): number {
  const open = new Map<string, Set<number>>();
  let overlaps = 0;
  for (const { kind, job, attempt } of effects.of(run.id)) {
    const running = open.get(job) ?? new Set();
    open.set(job, running);
    if (kind === "end") running.delete(attempt);
    else if (running.size > 0) overlaps++;
    if (kind === "begin") running.add(attempt);
  }
  return overlaps;
}
