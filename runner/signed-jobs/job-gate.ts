/** What stands between a lease and its execution: with trusted keys, only what they have signed gets through, and once. */
import { join } from "node:path";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Logger } from "pino";
import type { JobRecord } from "../state/job-record.ts";
import type { StateFile } from "../state/state-file.ts";
import { JobMemory } from "./job-memory.ts";
import type { TrustedKey } from "./trusted-keys.ts";
import { verifyJob } from "./verify-job.ts";

export interface JobGate {
  /** The lease as it may be executed; one that must not be has a `refusal`, and ends with it. `record` is that of an earlier process. */
  admit(spec: LeaseSpec, record: JobRecord | null): LeaseSpec;
}

export interface JobGateDeps {
  /** Null: every lease of the server is executed. */
  keys: readonly TrustedKey[] | null;
  home: string;
  state: Pick<StateFile, "jobs" | "save">;
  logger: Logger;
}

export async function createJobGate({ keys, home, state, logger }: JobGateDeps): Promise<JobGate> {
  if (keys === null) return { admit: (spec) => spec };
  const memory = await JobMemory.open(join(home, "signed-jobs"));
  logger.info({ keys: keys.length }, "only jobs that these keys have signed are executed");

  function judge(spec: LeaseSpec, record: JobRecord | null): LeaseSpec | string {
    const verdict = verifyJob(spec, keys ?? [], record ? 0 : Date.now());
    if (!verdict.ok) return verdict.why;
    const { statement } = verdict;
    const isHeld = state.jobs().some((job) => job.attemptId === statement.attemptId && job !== record);
    if (isHeld || (record === null && memory.knows(statement)))
      return "this runner has begun it before, and a signature counts once";
    memory.add(statement);
    // After the record: a crash in between leaves the job known by its record, and not as one that has ended.
    void state
      .save()
      .then(() => memory.save(statement))
      .catch((error: unknown) => logger.error({ err: error }, "a signed job could not be remembered"));
    return verdict.spec;
  }

  return {
    admit(spec, record) {
      const judged = judge(spec, record);
      if (typeof judged !== "string") return judged;
      const { attemptId, jobId, pipelineId, repositoryId } = spec;
      logger.error(
        { attempt_id: attemptId, job_id: jobId, pipeline_id: pipelineId, repository_id: repositoryId },
        `refused a job: ${judged}`,
      );
      const message = `The runner accepts signed jobs only, and refused this one: ${judged}.`;
      return { ...spec, refusal: { reason: "not_signed", message } };
    },
  };
}
