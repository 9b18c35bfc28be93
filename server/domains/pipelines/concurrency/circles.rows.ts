/** Made by `node scripts/generate-rows.ts` from the statements of circles.store.ts; do not edit. */

export interface CirclesRows {
  findCircle: {
    isCircle: boolean;
    groups: string[];
  };
}
