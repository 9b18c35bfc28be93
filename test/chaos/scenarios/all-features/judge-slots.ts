/** Judges slots of concurrency groups, deployments, approvals and runs that were started: each once, never beyond its limit. */
import type { ConcurrencyGroup } from "@forgeline/schemas/concurrency/resource.ts";
import type { Deployment } from "@forgeline/schemas/environments/resource.ts";
import type { Pipeline, PipelineSummary } from "@forgeline/schemas/pipelines/resource.ts";
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { Effect } from "../../../support/effect-recorder.ts";
import { jobsOf, labelOf, note, type Evidence } from "./judge-jobs.ts";
import type { PlayedRound } from "./play.ts";
import { plannedJobs } from "./planned-jobs.ts";
import { mainRepository, runsOf } from "./settings.ts";
import type { World } from "./world.ts";

const slotsRight = "slots held beyond the limit, or left";
const onceRight = "deployments, approvals or started runs that are missing or doubled";

/** The most that were open at once of what opens and closes in this order. */
export function mostAtOnce(moments: readonly { id: string; opens: boolean }[]): number {
  const open = new Set<string>();
  let most = 0;
  for (const { id, opens } of moments) {
    if (opens) open.add(id);
    else open.delete(id);
    most = Math.max(most, open.size);
  }
  return most;
}

/** From its first queueing to its end, by the records of both runs. */
function heldByRecords({ main, rival, mainEvents, rivalEvents }: PlayedRound, group: string): number {
  const keys = plannedJobs.filter((job) => job.group?.name === group).map(({ key }) => key);
  const ids = new Set(
    [...jobsOf(main), ...jobsOf(rival)].filter(({ key }) => keys.includes(key)).map(({ id }) => id),
  );
  const moments = [...mainEvents, ...rivalEvents]
    .filter(({ node_id, new_status }) => ids.has(node_id) && (new_status === "queued" || isFinal(new_status)))
    .sort((a, b) => a.id - b.id)
    .map(({ node_id, new_status }) => ({ id: node_id, opens: new_status === "queued" }));
  return mostAtOnce(moments);
}

/** From the first to the last that the world outside heard of each attempt. */
function heldByEffects(effects: readonly Effect[], jobIds: ReadonlySet<string>): number {
  const own = effects.filter(({ job }) => jobIds.has(job)).map(({ job, attempt }) => `${job}/${attempt}`);
  const moments = own.flatMap((id, index) => [
    ...(own.indexOf(id) === index ? [{ id, opens: true }] : []),
    ...(own.lastIndexOf(id) === index ? [{ id, opens: false }] : []),
  ]);
  return mostAtOnce(moments);
}

export async function judgeSlots(evidence: Evidence, world: World, round: PlayedRound): Promise<void> {
  const groups = new Map(
    plannedJobs.flatMap(({ group }) => (group ? [[group.name, group.limit] as const] : [])),
  );
  for (const [name, limit] of groups) {
    const recorded = heldByRecords(round, name);
    note(
      evidence,
      slotsRight,
      recorded <= limit ? null : `${recorded} held ${name} at once by the records, ${limit} may`,
    );
    const keys = plannedJobs.filter((job) => job.group?.name === name).map(({ key }) => key);
    const jobs = [...jobsOf(round.main), ...jobsOf(round.rival)].filter(({ key }) => keys.includes(key));
    const seen = heldByEffects(world.effects.all(), new Set(jobs.map(({ id }) => id)));
    note(evidence, slotsRight, seen <= limit ? null : `${seen} worked in ${name} at once, ${limit} may`);
  }
  for (const path of [`/repos/${mainRepository}/concurrency`, "/orgs/acme/concurrency"]) {
    const left = await world.read<ConcurrencyGroup[]>(path);
    const problem = left
      .map(({ group, holders, queue }) => `${group}: ${holders.length} held, ${queue.length} wait`)
      .join("; ");
    note(evidence, slotsRight, left.length === 0 ? null : `left at the end: ${problem}`);
  }
}

export async function judgeOnce(evidence: Evidence, world: World, round: PlayedRound): Promise<void> {
  for (const job of jobsOf(round.main).filter(({ key }) => key === "ship")) {
    const path = `/repos/${mainRepository}/environments/staging-${job.matrix?.["n"] ?? ""}/deployments`;
    const deployments = (await world.list<Deployment>(path)).filter(({ job: { id } }) => id === job.id);
    const is = deployments
      .map(({ attempt, status }) => `${attempt} ${status}`)
      .sort()
      .join();
    const wanted = job.attempts
      .map(({ attempt, status }) => `${attempt} ${status}`)
      .sort()
      .join();
    note(
      evidence,
      onceRight,
      is === wanted ? null : `deployments of ${labelOf(job)}: ${is}, its attempts: ${wanted}`,
    );
  }
  for (const [key, decision] of round.decided) {
    const gates = round.main.approvals.filter(({ job }) => job === key);
    const told = gates
      .map(({ state, approvals }) => `${state} by ${approvals.map((one) => one.decision).join()}`)
      .join();
    const wanted = decision === "approve" ? "approved by approve" : "rejected by reject";
    note(evidence, onceRight, told === wanted ? null : `the gate of ${key} is ${told}, not ${wanted}`);
  }
  await judgeChildren(evidence, world, round.main);
}

async function judgeChildren(evidence: Evidence, world: World, main: Pipeline): Promise<void> {
  for (const job of jobsOf(main).filter(({ key }) => ["child", "away", "below"].includes(key))) {
    const own = main.children.filter((child) => child.job === job.id);
    const is = own
      .map(({ attempt }) => String(attempt))
      .sort()
      .join();
    const wanted = job.attempts
      .map(({ attempt }) => String(attempt))
      .sort()
      .join();
    note(
      evidence,
      onceRight,
      is === wanted ? null : `${labelOf(job)} started runs in its attempts ${is}, not ${wanted}`,
    );
  }
  for (const repository of [mainRepository, "acme/below"]) {
    const runs = await world.list<PipelineSummary>(runsOf(repository));
    const started = runs.filter(
      ({ source, created_at }) => source === "pipeline" && created_at >= main.created_at,
    );
    const linked = main.children.filter((child) => child.repository === repository);
    const problem = `${started.length} runs were started in ${repository}, ${linked.length} are linked`;
    note(evidence, onceRight, started.length === linked.length ? null : problem);
  }
}
