/** Runs that schedules start, and the schedules that pipeline files list. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { ScheduleTrigger } from "@forgeline/compiler/triggers.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { compileFile, findPipelineFiles, type FileDeps } from "../compile/pipeline-files.ts";
import { compileRequest } from "../compile/compile-request.ts";
import type { GivenInputs } from "@forgeline/compiler/given-inputs.ts";
import { createRun, newRunOf, type CreatedRun } from "./create-run.ts";
import { startsOf } from "./child-actor.ts";
import { findEventRepository } from "./events.store.ts";

/** Null for a file that has errors: what it lists is not known. */
export interface ListedSchedules {
  file: string;
  schedules: ScheduleTrigger[] | null;
}

export interface ScheduledRequest {
  repositoryId: string;
  schedule: { id: string; name: string };
  ref: string | null;
  pipeline: string | null;
  inputs: GivenInputs;
  variables: PipelineEvent["variables"];
  /** Identifies the time that came; null for a request to run it now. */
  origin: string | null;
  /** Who ran it by hand. */
  user: { id: string; username: string } | null;
  /** On whose behalf templates are read: whoever ran it by hand, or its owner. */
  reader: Actor;
}

export interface ScheduledRuns {
  /** By the pipeline files of the default branch; undefined for a repository that is gone. */
  listed(repositoryId: string): Promise<ListedSchedules[] | undefined>;
  /**
   * Reads and compiles; what it gives back creates the run, in a transaction, and gives nothing if there is one of this origin. A broken
   * file makes a run that shows the error. Throws `validation_failed` that names `ref`, `pipeline` or `inputs.<name>`.
   */
  prepare(request: ScheduledRequest): Promise<(tx: Transaction) => Promise<CreatedRun | undefined>>;
}

export function createScheduledRuns(deps: FileDeps & { db: Queryable }): ScheduledRuns {
  return {
    async listed(repositoryId) {
      const found = await findEventRepository(deps.db, repositoryId);
      if (!found) return undefined;
      const tip = await deps.files.resolveRef(repositoryId, `refs/heads/${found.defaultBranch}`);
      if (!tip) return [];
      const { sha } = tip;
      const { files } = await findPipelineFiles(deps, repositoryId, sha);
      return Promise.all(
        files.map(async (file) => {
          // Without an event or a reader: what a run is given, and what its jobs do, does not matter to when it runs.
          const compiled = await compileFile(deps, { repositoryId, file, sha });
          return { file, schedules: compiled.plan ? compiled.on.schedule : null };
        }),
      );
    },
    async prepare({ repositoryId, schedule, origin, user, ref, pipeline, ...given }) {
      const found = await findEventRepository(deps.db, repositoryId);
      if (!found) throw invalidField("ref", "unknown", "The repository is gone.");
      const { event, compiled } = await compileRequest(
        deps,
        { id: repositoryId, ...found },
        {
          ...given,
          name: "schedule",
          actor: user?.username ?? `schedule:${schedule.name}`,
          schedule: { name: schedule.name },
          ref: ref ?? undefined,
          pipeline: pipeline ?? undefined,
        },
      );
      const run = newRunOf(compiled, event, { repositoryId, triggeredBy: user?.id ?? null });
      return (tx) =>
        createRun(tx, { ...run, origin, scheduleId: schedule.id, starts: startsOf(given.reader) });
    },
  };
}
