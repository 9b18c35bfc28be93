/** Where a page of a list begins. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";

/** Within PostgreSQL's range, however large the page's number. */
export function offsetOf(page: PageQuery): number {
  return Math.min((page.page - 1) * page.per_page, Number.MAX_SAFE_INTEGER);
}
