/** Made by `node scripts/generate-rows.ts` from the statements of custom.store.ts; do not edit. */
import type { RateCategory } from "@forgeline/schemas/core/rate-category.ts";

export interface CustomRows {
  findAccount: {
    id: string;
    name: string;
    entitled: boolean;
  };
  readCustom: {
    category: RateCategory;
    requests: number;
  };
  deleteCustom: never;
  insertCustom: never;
}
