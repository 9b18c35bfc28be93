/** Where a browser goes after signing in: only to a page of ours. */

const longest = 8_000;

/** null for everything else, because anybody can make such an address. */
export function nextPath(text: string | null, webUrl: string): string | null {
  if (text === null || text.length > longest || !URL.canParse(text, webUrl)) return null;
  const url = new URL(text, webUrl);
  if (url.origin !== new URL(webUrl).origin || url.pathname !== "/oauth/authorize") return null;
  return `/oauth/authorize?${url.searchParams.toString()}`;
}
