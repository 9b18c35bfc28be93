/**
 * Which of many routes may answer an address, by two of its segments. Express compares an address with each route in turn,
 * and with a thousand of them that takes a tenth of what a small answer costs.
 */

/** What nearly all paths differ in: what they are about, and for `/repos/:owner/:repo/…` which part of it. */
const telling = [0, 3];
const anything = "";

interface Indexed {
  /** As of a contract: `/repos/:owner/:repo/contents/*path`. */
  path: string;
}

/**
 * A function that gives the routes which may answer a path, in the order in which they came. They need not: a parameter is
 * not looked at. For addresses without number there are few different answers, each made once.
 */
export function indexRoutes<R extends Indexed, Found>(
  routes: readonly R[],
  make: (routes: readonly R[]) => Found,
): (path: string) => Found {
  const split = routes.map((route) => ({ route, segments: segmentsOf(route.path) }));
  const literals = telling.map(
    (at) => new Set(split.flatMap(({ segments }) => literalAt(segments, at) ?? [])),
  );
  const made = new Map<string, Found>();
  return (path) => {
    const segments = segmentsOf(path);
    const asked = telling.map((at, i) => {
      const segment = segments[at] ?? anything;
      return literals[i]?.has(segment) ? segment : anything;
    });
    const key = asked.join("/");
    const known = made.get(key);
    if (known !== undefined) return known;
    const may = split.filter((each) =>
      telling.every((at, i) => [undefined, asked[i]].includes(literalAt(each.segments, at))),
    );
    const found = make(may.map(({ route }) => route));
    made.set(key, found);
    return found;
  };
}

/** Undefined where a parameter stands, or the rest of a path, or where the path has ended. */
function literalAt(segments: readonly string[], at: number): string | undefined {
  const segment = segments[at];
  if (segment === undefined || /^[:*]/.test(segment)) return undefined;
  return segment;
}

const segmentsOf = (path: string): string[] => path.slice(1).split("/");
