/** Paging headers: `Link` with first, prev, next and last, and the four `X-` ones. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { maxPerPage } from "@forgeline/schemas/core/pagination.ts";

/** A larger `per_page` is clamped, not refused. */
export function clampPage<T extends PageQuery>(query: T): T {
  return { ...query, per_page: Math.min(query.per_page, maxPerPage) };
}

/** `url` is the public address of this request, with its query. */
export function pagingHeaders(url: URL, page: PageQuery, total: number): Record<string, string> {
  const pages = Math.ceil(total / page.per_page);
  const last = Math.max(1, pages);
  const link = (number: number, rel: string) => {
    const target = new URL(url);
    target.searchParams.set("page", String(number));
    target.searchParams.set("per_page", String(page.per_page));
    return `<${target.href}>; rel="${rel}"`;
  };
  const links = [link(1, "first")];
  if (page.page > 1) links.push(link(Math.min(page.page - 1, last), "prev"));
  if (page.page < last) links.push(link(page.page + 1, "next"));
  links.push(link(last, "last"));
  return {
    Link: links.join(", "),
    "X-Total-Count": String(total),
    "X-Page": String(page.page),
    "X-Per-Page": String(page.per_page),
    "X-Total-Pages": String(pages),
  };
}
