/** How many records a list has in all, of an answer with one page of it. */
export function totalOf(response: Response): number {
  return Number(response.headers.get("X-Total-Count") ?? 0);
}
