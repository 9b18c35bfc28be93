/** Made by `node scripts/generate-rows.ts` from the statements of children.store.ts; do not edit. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface ChildrenRows {
  findStarting: {
    state: "delegated" | "ended" | "following" | "leased" | "offered" | "queued";
    epoch: number;
    job: PlanJob;
    jobId: string;
    id: string;
    repositoryId: string;
    number: number;
    file: string;
    event: PipelineEvent;
    trust: "fork" | "own" | "unknown_author";
    depth: number;
    sequence: number;
    rootId: string;
    startsAs: string | null;
    startsElsewhere: boolean;
    username: string | null;
    suspended: boolean | null;
  };
  findChild: {
    id: string;
    number: number;
    status: Status;
    repository_id: string;
  };
  listOpenJobs: {
    status: Status;
    reason: string | null;
    message: string | null;
  };
  openChild: {
    id: string;
  };
  followedChildren: {
    id: string;
  };
  holdTree: {
    pg_advisory_xact_lock: string | null;
  };
  countChildren: {
    own: number;
    tree: number;
  };
  findLoop: {
    number: number;
  };
  readChildOutputs: {
    key: string | null;
    value: string | null;
  };
  listRelatives: {
    isParent: boolean | null;
    id: string;
    number: number;
    status: Status;
    file: string;
    repositoryId: string;
    owner: string;
    name: string;
    jobId: string | null;
    attempt: number | null;
  };
}
