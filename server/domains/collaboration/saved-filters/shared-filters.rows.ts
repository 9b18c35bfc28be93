/** Made by `node scripts/generate-rows.ts` from the statements of shared-filters.store.ts; do not edit. */

export interface SharedFiltersRows {
  list: {
    id: string;
    name: string;
    kind: "issue" | "merge_request";
    query: string;
    created_at: Date;
    updated_at: Date;
  };
  find: {
    id: string;
    name: string;
    kind: "issue" | "merge_request";
    query: string;
    created_at: Date;
    updated_at: Date;
  };
  holdRepository: {
    id: string;
  };
  count: {
    count: number;
  };
  findRival: {
    id: string;
  };
  insert: {
    id: string;
    name: string;
    kind: "issue" | "merge_request";
    query: string;
    created_at: Date;
    updated_at: Date;
  };
  update: {
    id: string;
    name: string;
    kind: "issue" | "merge_request";
    query: string;
    created_at: Date;
    updated_at: Date;
  };
  remove: {
    id: string;
    name: string;
    query: string;
  };
}
