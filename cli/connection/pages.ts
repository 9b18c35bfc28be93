/** Whole lists of the API, which answers them page by page. */
import { valueOf, type Answer } from "./api.ts";

const perPage = 100;

/** Every row of a list, in the server's order. What is added or removed meanwhile may be missing or stand there twice. */
export async function everyPage<T>(
  ask: (query: { page: number; per_page: number }) => Promise<Answer<T[]>>,
): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1; ; page++) {
    const part = await valueOf(ask({ page, per_page: perPage }));
    rows.push(...part);
    if (part.length < perPage) return rows;
  }
}
