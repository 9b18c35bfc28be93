/** Where a browser goes once it is signed in: only to a page of ours that sent it away to sign in. */

const longest = 8_000;

/** null for everything else: whoever makes an address chooses what stands in it. */
export function nextPath(text: string | null, webUrl: string): string | null {
  if (text === null || text.length > longest || !URL.canParse(text, webUrl)) return null;
  const url = new URL(text, webUrl);
  if (url.origin !== new URL(webUrl).origin || url.pathname !== "/oauth/authorize") return null;
  return `/oauth/authorize?${url.searchParams.toString()}`;
}
