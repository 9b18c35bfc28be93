/** Made by `node scripts/generate-rows.ts` from the statements of places.store.ts; do not edit. */

export interface PlacesRows {
  findPlace: {
    id: string;
    number: number;
    state: "closed" | "merged" | "open";
    author_id: string | null;
    locked: boolean;
    head_sha: string;
    target_sha: string;
    merge_base_sha: string | null;
  };
  hadHead: {
    had: boolean;
  };
}
