/** Made by `node scripts/generate-rows.ts` from the statements of marks.store.ts; do not edit. */

export interface MarksRows {
  mark: never;
  adopt: never;
  claimDue: {
    repository_id: string;
  };
  begin: {
    wanted: number;
    default_branch: string;
  };
  end: {
    again: boolean | null;
  };
  rest: never;
  giveUp: never;
  countWaiting: {
    waiting: number;
  };
}
