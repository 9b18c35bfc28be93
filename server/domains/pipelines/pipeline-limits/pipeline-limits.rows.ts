/** Made by `node scripts/generate-rows.ts` from the statements of pipeline-limits.store.ts; do not edit. */

export interface PipelineLimitsRows {
  ofRepository: {
    name: string;
    value: number;
    ofOrganization: boolean;
  };
  ofOrganization: {
    name: string;
    value: number;
    ofOrganization: boolean;
  };
  findOrganization: {
    id: string;
    name: string;
  };
  hold: never;
  remove: never;
  insert: never;
}
