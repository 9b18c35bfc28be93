/** Where to go after signing in: only ever a page of this instance. */
export function nextPath(wanted: string | null): string {
  if (wanted === null) return "/";
  const url = URL.parse(wanted, window.location.origin);
  return url?.origin === window.location.origin ? url.pathname + url.search + url.hash : "/";
}
