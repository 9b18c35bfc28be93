/** The address of bytes as this page asks for them: it may have been opened by another name of the instance. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname + search;
}
