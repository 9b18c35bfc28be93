/** Made by `node scripts/generate-rows.ts` from the statements of runners.store.ts; do not edit. */
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";

export interface RunnersRows {
  findRunner: {
    id: string;
    name: string;
    group_id: string | null;
    group_name: string | null;
    owner: string | null;
    repository: string | null;
    repository_id: string | null;
    organization_id: string | null;
    organization: string | null;
    one_job: boolean;
    executor: "docker" | "process";
    engine: "docker" | "docker_rootless" | "podman" | "podman_rootless" | null;
    requires_signatures: boolean;
    takes_privileged: boolean;
    image_cache_bytes: number | null;
    labels: string[];
    capacity: number;
    paused: boolean;
    draining: boolean;
    agent_draining: boolean;
    version: string;
    os: string;
    arch: string;
    hostname: string;
    connected: boolean;
    seconds_unseen: number | null;
    load: number | null;
    free_disk_bytes: number | null;
    limits: RunnerLimits | null;
    egress: EgressReport | null;
    connected_at: Date | null;
    last_seen_at: Date | null;
    duplicate_seen_at: Date | null;
    created_at: Date;
    updated_at: Date;
    running: number;
  };
  findRunners: {
    id: string;
    name: string;
    group_id: string | null;
    group_name: string | null;
    owner: string | null;
    repository: string | null;
    repository_id: string | null;
    organization_id: string | null;
    organization: string | null;
    one_job: boolean;
    executor: "docker" | "process";
    engine: "docker" | "docker_rootless" | "podman" | "podman_rootless" | null;
    requires_signatures: boolean;
    takes_privileged: boolean;
    image_cache_bytes: number | null;
    labels: string[];
    capacity: number;
    paused: boolean;
    draining: boolean;
    agent_draining: boolean;
    version: string;
    os: string;
    arch: string;
    hostname: string;
    connected: boolean;
    seconds_unseen: number | null;
    load: number | null;
    free_disk_bytes: number | null;
    limits: RunnerLimits | null;
    egress: EgressReport | null;
    connected_at: Date | null;
    last_seen_at: Date | null;
    duplicate_seen_at: Date | null;
    created_at: Date;
    updated_at: Date;
    running: number;
  };
  countRunners: {
    total: number;
  };
  insertRunner: never;
  changeRunner: never;
  revokeRunner: {
    id: string;
  };
  insertRegistrationToken: {
    id: string;
    token_hash: Buffer;
    repository_id: string | null;
    uses_left: number;
    expires_at: Date;
    created_by: string;
    created_at: Date;
    organization_id: string | null;
    group_id: string | null;
  };
  useRegistrationToken: {
    id: string;
    repository_id: string | null;
    organization_id: string | null;
    group_id: string | null;
    created_by: string;
    username: string;
  };
}
