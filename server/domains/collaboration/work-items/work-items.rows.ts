/** Made by `node scripts/generate-rows.ts` from the statements of work-items.store.ts; do not edit. */

export interface WorkItemsRows {
  takeNumber: {
    last: number;
  };
  insertItem: never;
  lockItem: {
    id: string;
    repository_id: string;
    number: number;
    kind: "issue" | "merge_request";
    title: string;
    body: string;
    state: "closed" | "merged" | "open";
    state_reason: "completed" | "duplicate" | "not_planned" | null;
    author_id: string | null;
    locked: boolean;
    milestone_id: string | null;
    duplicate_of: string | null;
    due_on: string | null;
    pinned_at: Date | null;
    comments_count: number;
  };
  setTexts: never;
  setState: never;
  setMilestone: never;
  setDue: never;
  setLocked: never;
  setPinned: never;
  countPinned: {
    count: number;
  };
  touch: never;
  addComments: never;
  deleteItem: never;
  labelsOf: {
    id: string;
    name: string;
    color: string;
  };
  addLabels: never;
  removeLabels: never;
  assigneesOf: {
    id: string;
    username: string;
  };
  addAssignees: never;
  removeAssignees: never;
  findAssignable: {
    id: string;
    username: string;
  };
  insertEvents: never;
  insertMentions: never;
  insertGotDuplicate: never;
  listEvents: {
    id: number;
    kind: string;
    details: unknown;
    created_at: Date;
    actor: unknown;
    origin: string | null;
    elsewhere: boolean;
    commit_repository: string | null;
    source: {
      kind: "issue" | "merge_request";
      number: number;
      title: string;
      state: "closed" | "merged" | "open";
      full_name: string;
    } | null;
  };
  countEvents: {
    total: number;
  };
  findItem: {
    id: string;
    author_id: string | null;
    locked: boolean;
    comments_count: number;
  };
}
