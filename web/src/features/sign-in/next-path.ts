/** Where to go after signing in: only ever a page of this instance. */
export function nextPath(wanted: string | null): string {
  if (wanted === null) return "/";
  const url = URL.parse(wanted, window.location.origin);
  return url?.origin === window.location.origin ? url.pathname + url.search + url.hash : "/";
}

/**
 * Pages that the server makes itself, and what it looks at before the page may ask, such as the request of an app: a
 * request that is wrong goes back to the app at once.
 */
export function isServersPage(path: string): boolean {
  return /^\/(?:oauth|docs|login\/sso)(?:[/?#]|$)/.test(path);
}
