/** Made by `node scripts/generate-rows.ts` from the statements of export-organization.store.ts; do not edit. */

export interface ExportOrganizationRows {
  findRange: {
    names: string | null;
    runs: number;
    oldest: Date | null;
    newest: string | null;
  };
  listEnded: {
    id: string;
    ended_at: string;
    repository: string | null;
  };
}
