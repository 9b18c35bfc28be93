/**
 * Jobs that ask for a runner without containers (`executor=process`): they have no image, whatever the defaults say, and nothing that
 * needs one. Only a label that is written out makes such a job; what an expression gives is known too late.
 */
import { asksForProcess, processLabel } from "@forgeline/schemas/runners/executor.ts";
import type { FileModel, ModelJob } from "./file-model.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import { labelsOfRunner } from "./stage-labels.ts";
import { writtenSteps } from "./step-groups.ts";
import type { ValidFile } from "./structure.ts";
import { quote } from "./suggest.ts";
import { spanOfKey } from "./tree.ts";

type Defaults = ValidFile["file"]["defaults"];

export function isProcessJob(job: ModelJob, model: FileModel, defaults: Defaults): boolean {
  return asksForProcess(labelsOfRunner(job, model, defaults));
}

interface Misplaced {
  /** Where it is written. */
  path: Path;
  what: string;
  hint: string;
}

export function checkProcessJobs(model: FileModel, { file, tree }: ValidFile, report: Report): void {
  for (const job of model.jobs) {
    if (!isProcessJob(job, model, file.defaults)) continue;
    for (const { path, what, hint } of misplaced(job, file.defaults))
      report.add("P145", spanOfKey(tree, path), {
        message: `job ${quote(job.key)} runs without a container, on a runner with ${processLabel}, and so cannot have ${what}`,
        hint,
      });
  }
}

const useMachine = "remove it: the steps use the programs of the runner's machine";

function misplaced({ path, job }: ModelJob, defaults: Defaults): Misplaced[] {
  const found: Misplaced[] = [];
  const own = (key: string, what: string, hint: string) => found.push({ path: [...path, key], what, hint });
  if (job.image !== undefined) own("image", "an image", useMachine);
  if (Object.keys(job.services ?? {}).length > 0)
    own("services", "services", "start what it needs in a step, or use a runner with containers");
  for (const { step, path: at } of writtenSteps(job.steps ?? []))
    if (step.image !== undefined)
      found.push({ path: [...path, ...at, "image"], what: "steps with an image", hint: useMachine });
  return [...found, ...inherited({ path, job }, defaults)];
}

/** What may come from the defaults as well. */
function inherited({ path, job }: Pick<ModelJob, "path" | "job">, defaults: Defaults): Misplaced[] {
  const at = (key: "network" | "privileged"): Path =>
    job[key] === undefined ? ["defaults", key] : [...path, key];
  const found: Misplaced[] = [];
  if (job.resources?.shm !== undefined || defaults?.resources?.shm !== undefined)
    found.push({
      path: [...(job.resources?.shm === undefined ? ["defaults"] : path), "resources", "shm"],
      what: "a /dev/shm of its own",
      hint: "it has that of the machine: ask for `shm` only in jobs with containers",
    });
  const network = job.network ?? defaults?.network;
  if (network !== undefined && network !== "open")
    found.push({
      path: at("network"),
      what: "a restricted network",
      hint: "nothing filters there: write `network: open` in the job, or use a runner with containers",
    });
  if (job.privileged ?? defaults?.privileged)
    found.push({
      path: at("privileged"),
      what: "privileged containers",
      hint: "write `privileged: false` in the job: it has the rights of the runner's user",
    });
  return found;
}
