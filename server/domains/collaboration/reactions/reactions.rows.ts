/** Made by `node scripts/generate-rows.ts` from the statements of reactions.store.ts; do not edit. */

export interface ReactionsRows {
  addReaction: never;
  removeReaction: never;
  listReactions: {
    name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
    created_at: Date;
    user: unknown;
  };
  countListed: {
    total: number;
  };
  countReactions: {
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
}
