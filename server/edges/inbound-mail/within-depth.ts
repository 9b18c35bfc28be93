/** HTML whose elements stand in each other without end takes seconds to read. Pure, in linear time. */

/** They have no content. */
const empty: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);
const tag = /<(?<end>\/?)(?<name>[a-z][^\s/>]*)/gi;

/**
 * The HTML up to where more than `maxDepth` elements are open. Each name is counted for itself: an end without a beginning, which
 * parsers pass over, ends nothing here, so there are never more open than are counted.
 */
export function withinDepth(html: string, maxDepth: number): string {
  const open = new Map<string, number>();
  let depth = 0;
  for (const { index, groups } of html.matchAll(tag)) {
    const name = groups?.["name"]?.toLowerCase() ?? "";
    const isEnd = groups?.["end"] === "/";
    const same = open.get(name) ?? 0;
    if (empty.has(name) || (isEnd && same === 0)) continue;
    const change = isEnd ? -1 : 1;
    open.set(name, same + change);
    depth += change;
    if (depth > maxDepth) return html.slice(0, index);
  }
  return html;
}
