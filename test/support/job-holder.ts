/** What an actor has that is the token of a job. */
import type { JobHolder } from "@forgeline/server/platform/access/actor.ts";

export function jobHolder(repositoryId: string, facts: Partial<JobHolder> = {}): JobHolder {
  return {
    attemptId: "att_1",
    repositoryId,
    id: "job_1",
    pipelineId: "pipe_1",
    name: "unit of ada/hello#1",
    mayWrite: false,
    isOfAdmin: false,
    limit: null,
    ...facts,
  };
}
