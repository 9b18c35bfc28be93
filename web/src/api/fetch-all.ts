/** All of a list that is known to be short enough to show at once, such as the teams of an organization. */
const perPage = 100;

export async function fetchAll<T>(
  fetchPage: (query: { page: number; per_page: number }) => Promise<{ data?: T[] }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const some = (await fetchPage({ page, per_page: perPage })).data ?? [];
    all.push(...some);
    if (some.length < perPage) return all;
  }
}
