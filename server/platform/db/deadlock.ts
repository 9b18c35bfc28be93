/** PostgreSQL has found transactions that wait for each other, and has undone this one: it works when it comes again. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "40P01";
}

const maxTries = 3;

/** Does it again where it was undone for that. */
export async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || tries === maxTries) throw error;
    }
}
