/** Made by `node scripts/generate-rows.ts` from the statements of entries.store.ts; do not edit. */

export interface EntriesRows {
  listEntries: {
    merge_request_id: string;
    repository_id: string;
    branch: string;
    number: number;
    place: number;
    head_sha: string;
    strategy: "fast_forward" | "merge" | "rebase" | "squash";
    commit_message: string | null;
    delete_source_branch: boolean;
    reach: "here" | "reads" | "starts";
    queued_by: string | null;
    queued_at: Date;
    batch_id: string | null;
    merge_sha: string | null;
    suspect: boolean;
    failures: number;
    title: string;
    item_state: "closed" | "merged" | "open";
    queued_by_person: unknown;
  };
  countEntries: {
    count: number;
  };
  countWaiting: {
    count: number;
  };
  insertEntry: {
    merge_request_id: string;
  };
  removeEntry: {
    queued_by: string | null;
  };
  removeChanged: {
    branch: string;
    queued_by: string | null;
  };
  findEntry: {
    merge_request_id: string;
    queued_by: string | null;
    branch: string;
    place: number;
    is_landing: boolean;
  };
  moveToFront: never;
  takeIntoBatch: {
    merge_request_id: string;
  };
  countFailure: {
    failures: number;
  };
  lockMembers: {
    merge_request_id: string;
  };
  suspect: never;
  trust: never;
  removeMerged: never;
}
