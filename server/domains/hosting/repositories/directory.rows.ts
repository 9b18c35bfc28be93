/** Made by `node scripts/generate-rows.ts` from the statements of directory.store.ts; do not edit. */

export interface DirectoryRows {
  listAll: {
    id: string;
    fullName: string;
    defaultBranch: string;
    deleted: boolean;
  };
  findUnknown: {
    id: string | null;
  };
}
