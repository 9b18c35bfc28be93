/** Made by `node scripts/generate-rows.ts` from the statements of flow.store.ts; do not edit. */

export interface FlowRows {
  insertFlow: never;
  takeFlow: {
    organization_id: string;
    issuer: string;
    client_id: string;
    next_path: string | null;
  };
  insertArrival: never;
  findArrival: {
    organization_id: string;
    issuer: string;
    subject: string;
    email: string | null;
    display_name: string;
    suggested_username: string;
    next_path: string | null;
  };
  useArrival: {
    organization_id: string;
  };
}
