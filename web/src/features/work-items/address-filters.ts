/** What lists of issues and of merge requests have in common in their addresses. */

/** Filters of these names, each with how long the server lets it be. What it would refuse is left out. */
export function textFilters<Name extends string>(
  query: URLSearchParams,
  lengths: Readonly<Record<Name, number>>,
): Partial<Record<Name, string>> {
  const given = Object.entries<number>(lengths).flatMap(([name, length]) => {
    const value = query.get(name)?.trim();
    return value && value.length <= length ? [[name, value]] : [];
  });
  return Object.fromEntries(given) as Partial<Record<Name, string>>;
}

/** The address's query with other values, from the first page on. An empty value is none. */
export function withValues(
  query: URLSearchParams,
  values: Readonly<Record<string, string>>,
): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === "") next.delete(name);
    else next.set(name, value.trim());
  }
  next.delete("page");
  return next;
}

export function withoutValues(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  return withValues(query, Object.fromEntries(names.map((name) => [name, ""])));
}

/** Names of labels, which contain no comma. */
export function labelNames(labels: string | undefined): string[] {
  return (labels ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
}
