/** PostgreSQL has found transactions that wait for each other, and has undone this one: it works when it comes again. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "40P01";
}
