/** Made by `node scripts/generate-rows.ts` from the statements of saved-filters.store.ts; do not edit. */

export interface SavedFiltersRows {
  list: {
    id: string;
    name: string;
    kind: "issue" | "merge_request";
    query: string;
    repository_id: string | null;
    created_at: Date;
    updated_at: Date;
    full_name: string | null;
  };
  find: {
    id: string;
    name: string;
    kind: "issue" | "merge_request";
    query: string;
    repository_id: string | null;
    created_at: Date;
    updated_at: Date;
    full_name: string | null;
  };
  holdUser: {
    id: string;
  };
  count: {
    count: number;
  };
  findRepository: {
    id: string;
  };
  findRival: {
    id: string;
  };
  insert: never;
  update: never;
  remove: {
    id: string;
  };
}
