/** Made by `node scripts/generate-rows.ts` from the statements of expiry.store.ts; do not edit. */

export interface ExpiryRows {
  listOwners: {
    owner: string;
    chain: string;
    days: number;
  };
  findDueOfOrganization: {
    seq: number;
    number: number | null;
    hash: string | null;
    before: string;
    holds: boolean;
  };
  findDueOfPerson: {
    seq: number;
    number: number | null;
    hash: string | null;
    before: string;
    holds: boolean;
  };
  lockExpiry: {
    pg_advisory_xact_lock: string | null;
  };
  removeEntries: {
    removed: number | null;
  };
  shrink: {
    name: string | null;
  };
}
