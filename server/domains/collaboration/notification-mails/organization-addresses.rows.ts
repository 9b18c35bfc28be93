/** Made by `node scripts/generate-rows.ts` from the statements of organization-addresses.store.ts; do not edit. */

export interface OrganizationAddressesRows {
  addressesOf: {
    organization: string;
    email_id: string;
  };
  resolve: {
    organization_id: string | null;
    email_id: string | null;
  };
  removeAll: never;
  insert: never;
}
