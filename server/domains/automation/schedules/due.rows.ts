/** Made by `node scripts/generate-rows.ts` from the statements of due.store.ts; do not edit. */

export interface DueRows {
  listDue: {
    id: string;
  };
  findNext: {
    next_at: Date | null;
  };
  findDue: {
    id: string;
    repository_id: string;
    source: "file" | "manual";
    file: string | null;
    name: string;
    cron: string;
    timezone: string;
    ref: string | null;
    variables: unknown;
    inputs: unknown;
    if_missed: "run_once" | "skip";
    next_at: Date;
    tries: number;
    owner_id: string | null;
    reach: "here" | "reads" | "starts";
    repository: string;
    rests: boolean;
    owner_may: boolean;
  };
  lockDue: {
    id: string;
  };
  succeed: never;
  fail: {
    failures: number;
    alerted_at: Date | null;
  };
  passBy: never;
  putOff: never;
  turnOff: never;
  noteAlert: never;
}
