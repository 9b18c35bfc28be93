/** Made by `node scripts/generate-rows.ts` from the statements of events.store.ts; do not edit. */

export interface EventsRows {
  lockFollower: {
    position: number;
    gaps: unknown;
    oldest: string | null;
  };
  readEvents: {
    position: number;
    kind: string;
    action: string;
    repository_id: string | null;
    organization_id: string | null;
    occurred_at: Date;
  };
  nextTransaction: {
    next: string | null;
  };
  moveFollower: never;
  countBehind: {
    name: string;
    behind: number;
    seconds: number;
  };
  setSubject: {
    subject: unknown;
  };
  deleteEvents: {
    position: number;
  };
}
