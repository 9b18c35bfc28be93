/** Made by `node scripts/generate-rows.ts` from the statements of viewed-files.store.ts; do not edit. */

export interface ViewedFilesRows {
  listViewed: {
    path: string;
    before_file: string | null;
    after_file: string | null;
  };
  setViewed: never;
  dropOldest: never;
  removeViewed: never;
  findLook: {
    head_sha: string;
  };
  setLook: never;
  dropOldLooks: never;
  findLastReview: {
    head_sha: string;
  };
  findSeen: {
    seen: boolean;
  };
  findFormerHead: {
    id: number;
  };
}
