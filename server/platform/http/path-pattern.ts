/** Paths of contracts (`/repos/:owner/:repo`, a last `*path` takes the rest) matched against request paths. */
export interface PathPattern {
  /** Decoded parameters, or undefined when the path is another one. */
  match(path: string): Record<string, string> | undefined;
}

export function compilePath(path: string): PathPattern {
  const names: string[] = [];
  const source = path
    .split("/")
    .map((segment) => {
      if (segment.startsWith(":") || segment.startsWith("*")) names.push(segment.slice(1));
      if (segment.startsWith(":")) return "([^/]+)";
      return segment.startsWith("*") ? "(.+)" : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    })
    .join("/");
  const regex = new RegExp(`^${source}/?$`);
  return {
    match(candidate) {
      const found = regex.exec(candidate);
      if (!found) return undefined;
      try {
        return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? "")]));
      } catch {
        return undefined;
      }
    },
  };
}
