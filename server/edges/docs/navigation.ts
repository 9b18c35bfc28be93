/** The list of all documentation pages, in the groups and the order of the first page. */
import type { NavGroup } from "../http/page.ts";

/** Address and title of a page. */
export type PageTitles = ReadonlyMap<string, { title: string }>;

const headingOrLink = /<h2 [^>]*>(?<heading>.*?)<\/h2>|<a href="(?<href>\/docs\/[^"#]*)[^"]*">/g;

/**
 * `firstPage` is HTML: links below a heading belong to its group. Pages that it does not name come last, in the group that ends it,
 * which is for those who change the code, and folded.
 */
export function readNavigation(firstPage: string, pages: PageTitles): NavGroup[] {
  const rest = new Set([...pages.keys()].filter((href) => href !== "/docs"));
  const groups: { title: string; hrefs: string[] }[] = [];
  for (const { groups: found } of firstPage.matchAll(headingOrLink)) {
    const href = found?.["href"];
    if (href === undefined) groups.push({ title: found?.["heading"] ?? "", hrefs: [] });
    else if (rest.delete(href)) groups.at(-1)?.hrefs.push(href);
  }
  if (groups.length === 0) groups.push({ title: "Pages", hrefs: [] });
  groups.at(-1)?.hrefs.push(...[...rest].toSorted());
  return groups
    .filter(({ hrefs }) => hrefs.length > 0)
    .map(({ title, hrefs }, at, { length }) => ({
      title,
      pages: hrefs.map((href) => ({ href, title: pages.get(href)?.title ?? href })),
      isFolded: length > 1 && at === length - 1,
    }));
}
