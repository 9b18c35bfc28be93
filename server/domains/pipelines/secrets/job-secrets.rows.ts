/** Made by `node scripts/generate-rows.ts` from the statements of job-secrets.store.ts; do not edit. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";

export interface JobSecretsRows {
  findRun: {
    trust: "fork" | "own" | "unknown_author";
    event: PipelineEvent;
    repository: string;
    isAllowed: boolean;
    isConfirmed: boolean;
  };
  findSecrets: {
    id: string;
    name: string;
    branches: string[];
    tags: string[];
    event_names: string[];
    stage_globs: string[];
    images: string[];
    environments: string[];
    repositories: string[];
    valueId: string;
    sizeBytes: number;
    sealed: Buffer;
    level: "environment" | "instance" | "organization" | "repository";
  };
  findInEnvironments: {
    name: string;
    environments: string[];
  };
  findPlannedSecrets: {
    name: string;
    environment: string | null;
    branches: string[];
    tags: string[];
    event_names: string[];
    stage_globs: string[];
    images: string[];
    environments: string[];
    repositories: string[];
    repository: string;
    confirmed: string[];
  };
  insertUses: never;
  dropOldUses: never;
  findGiven: {
    name: string;
    valueId: string;
    sealed: Buffer;
  };
}
