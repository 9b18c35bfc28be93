/** Runs a pipeline on this machine, without a server: what the command line loads for `forgeline exec`, and only then. */
import { availableParallelism } from "node:os";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { labelOf, newRun } from "./local-run.ts";
import { presentRun } from "./present.ts";
import { refuseTemplatesElsewhere, runnableEvent, type Project } from "./project.ts";
import { localUser } from "./repository.ts";
import { placeOfTest, reportsOf, type JobReports } from "./reports.ts";
import type { ExecHandlers, Here } from "./run-here.ts";
import { selectJobs } from "./select-jobs.ts";

export { gatedJobs } from "./approvals.ts";
export { openProject, planOf } from "./project.ts";
export type { ExecHandlers } from "./run-here.ts";

export interface Execution {
  /** As it begins. */
  run: Pipeline;
  /** What its jobs are called. */
  labels: string[];
  /** Asked again, what runs `always` is left out. */
  cancel(): void;
  /** Runs it. Resolves with how it ended, when nothing of it is left on this machine. Call it once. */
  carryOut(handlers: ExecHandlers): Promise<Pipeline>;
  /** What its jobs have reported, once it is carried out. */
  reports(): JobReports[];
  /** `FILE:LINE` of a failed test, where its text names a file of the project. */
  placeOf(test: JobReports["tests"][number]): string | null;
}

/** `atOnce`: jobs at the same time; by default one for each core. Throws `ExecProblem` for what cannot run. */
export async function prepare(
  project: Project,
  { atOnce = availableParallelism() }: { atOnce?: number | undefined },
): Promise<Execution> {
  const { compiled, request } = project;
  if (!compiled) throw new Error("a file with errors has no run");
  const run = newRun(compiled.plan, runnableEvent(project), request);
  selectJobs(run, { names: request.jobs, withNeeds: request.withNeeds });
  refuseTemplatesElsewhere(run, project.templates);
  // Whoever only wants to see the plan, or has made a mistake, does not wait for Docker's client.
  const [{ connectDocker }, { runHere }] = await Promise.all([
    import("./docker.ts"),
    import("./run-here.ts"),
  ]);
  const docker = await connectDocker();
  let cancels = 0;
  let stop = () => {};
  return {
    run: presentRun(run),
    labels: run.jobs.filter(({ kept }) => !kept).map(labelOf),
    cancel() {
      cancels += 1;
      stop();
    },
    async carryOut(handlers) {
      const onCourse: Here["onCourse"] = (course) => {
        stop = () => course.cancel({ reason: `user:${localUser()}`, force: cancels > 1 });
        // Somebody was quicker.
        if (cancels > 0) stop();
      };
      await runHere({ run, project, docker, atOnce, handlers, onCourse });
      return presentRun(run);
    },
    reports: () => reportsOf(run),
    placeOf: (test) => placeOfTest(test, project.repository.root),
  };
}
