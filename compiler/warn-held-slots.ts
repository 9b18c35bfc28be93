/** W909: the slot of a run or stage that stays held while people have yet to decide about some of its jobs. */
import type { FileModel, ModelJob } from "./file-model.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import type { ValidFile } from "./structure.ts";
import { spanOfKey } from "./tree.ts";

/**
 * Only for files without errors, since it follows needs. With `cancel_running`, whoever comes next ends what waits, so nobody is held up.
 */
export function warnHeldSlots(sound: ValidFile, model: FileModel, report: Report): void {
  const places = [
    { path: [] as Path, written: sound.file.concurrency, jobs: model.jobs },
    ...model.stages.map(({ name, path, stage }) => ({
      path,
      written: stage.concurrency,
      jobs: model.jobs.filter((job) => job.stage === name),
    })),
  ].filter(
    ({ written }) => written !== undefined && (typeof written === "string" || !written.cancel_running),
  );
  if (places.length === 0) return;
  const gates = gatesOf(model);
  const behind = gatesBehindWhich(model, gates);
  for (const { path, jobs } of places) {
    const masks = jobs.map(({ key }) => behind(key));
    const any = masks.reduce((sum, mask) => sum | mask, 0n);
    const every = masks.reduce((rest, mask) => rest & mask, any);
    const gate = gates.find((_, i) => (any & ~every & bit(i)) !== 0n);
    if (!gate) continue;
    report.add("W909", spanOfKey(sound.tree, [...path, "concurrency"]), {
      message: `this slot stays held while ${gate.name} waits for approval`,
      hint: "put `concurrency` at the jobs that need it: they ask for it once they are approved",
    });
  }
}

interface FileGate {
  name: string;
  /** Keys of the jobs that stand at it. */
  jobs: ReadonlySet<string>;
}

function gatesOf({ stages, jobs }: FileModel): FileGate[] {
  return [
    ...stages
      .filter(({ stage }) => stage.approval !== undefined)
      .map(({ name }) => ({
        name: `stage "${name}"`,
        jobs: new Set(jobs.filter(({ stage }) => stage === name).map(({ key }) => key)),
      })),
    ...jobs
      .filter(({ job }) => job.approval !== undefined)
      .map(({ key }) => ({ name: `job "${key}"`, jobs: new Set([key]) })),
  ];
}

const bit = (gate: number) => 1n << BigInt(gate);

/** For each job a number with a bit for each gate: its own, and those of what has to end before it. */
function gatesBehindWhich(model: FileModel, gates: readonly FileGate[]): (key: string) => bigint {
  const jobs = new Map(model.jobs.map((job) => [job.key, job]));
  const known = new Map<string, bigint>();
  const behind = (key: string): bigint => {
    const job = jobs.get(key);
    const answer =
      known.get(key) ??
      [
        ...gates.map((gate, i) => (gate.jobs.has(key) ? bit(i) : 0n)),
        ...(job ? keysBefore(job, model).map(behind) : []),
      ].reduce((sum, mask) => sum | mask, 0n);
    known.set(key, answer);
    return answer;
  };
  return behind;
}

function keysBefore({ needs, stage: own }: ModelJob, { stages, jobs }: FileModel): string[] {
  if (needs !== null) return needs.map(({ job }) => job);
  const index = stages.findIndex(({ name }) => name === own);
  const earlier =
    stages[index]?.needs?.map(({ name }) => name) ?? stages.slice(0, index).map(({ name }) => name);
  return jobs.filter(({ stage }) => stage !== null && earlier.includes(stage)).map(({ key }) => key);
}
