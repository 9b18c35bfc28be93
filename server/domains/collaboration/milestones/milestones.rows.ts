/** Made by `node scripts/generate-rows.ts` from the statements of milestones.store.ts; do not edit. */

export interface MilestonesRows {
  listMilestones: {
    id: string;
    title: string;
    description: string;
    due_on: string | null;
    state: "closed" | "open";
    closed_at: Date | null;
    created_at: Date;
    updated_at: Date;
    open_issues: number;
    closed_issues: number;
  };
  findMilestone: {
    id: string;
    title: string;
    description: string;
    due_on: string | null;
    state: "closed" | "open";
    closed_at: Date | null;
    created_at: Date;
    updated_at: Date;
    open_issues: number;
    closed_issues: number;
  };
  holdMilestone: {
    id: string;
    title: string;
  };
  holdByTitle: {
    id: string;
  };
  holdRepository: {
    id: string;
  };
  countMilestones: {
    count: number;
  };
  findRival: {
    id: string;
  };
  insertMilestone: never;
  updateMilestone: never;
  deleteMilestone: {
    title: string;
  };
}
