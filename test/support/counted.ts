/** What a test counted, for the table that `npm run hostile` and `npm run fuzz` print at the end. */
import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    counted?: Record<string, number | string>;
  }
}

export function counted({ task }: TestContext, figures: Record<string, number | string>): void {
  task.meta.counted = { ...task.meta.counted, ...figures };
}
