/** Made by `node scripts/generate-rows.ts` from the statements of pushes.store.ts; do not edit. */
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";

export interface PushesRows {
  insertIntent: {
    answer: "accepted" | "cleaned" | "full" | "mirrored" | "replayed";
  };
  markRecorded: {
    id: string;
  };
  repositoryName: {
    name: string;
  };
  markRefused: never;
  reassignIntent: {
    id: string;
  };
  refWriters: {
    id: string;
    writer: string | null;
    refs: string[];
  };
  openIntents: {
    id: string;
    repositoryId: string;
    cause: "fork_sync" | "mirror_sync" | "push";
    userId: string | null;
    username: string;
    updates: RefUpdate[];
    options: string[];
    atomic: boolean;
    signature: "unchecked" | "unknown_key" | "verified" | null;
    signer: string | null;
    certificate: Buffer | null;
    digest: string | null;
    writer: string | null;
    reach: "here" | "reads" | "starts";
    jobId: string | null;
    ageMs: number;
  };
  otherPushes: {
    updates: RefUpdate[];
    isRecorded: boolean;
    isLater: boolean | null;
  };
  lastRecorded: {
    ref: string | null;
    after: string | null;
  };
  findBringer: {
    isRecorded: boolean;
    userId: string | null;
  };
  insertFound: never;
}
