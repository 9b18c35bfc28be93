/** Work of an instance that is cut off in its middle, and what must be true of it when the outage is over. */
export interface CutOffWork {
  /** Resolves when it is under way. */
  begin(): Promise<void>;
  /** Called once something was killed. Rejects unless all came right in the end. */
  expectWhole(): Promise<void>;
}

/** One outage in the middle of all of this. What is under way for the shortest time comes last. */
export async function expectAllSurvive(
  works: readonly CutOffWork[],
  strike: () => Promise<void>,
): Promise<void> {
  for (const work of works) await work.begin();
  await strike();
  const ends = await Promise.allSettled(works.map((work) => work.expectWhole()));
  const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join("\n\n"));
  if (errors.length === 1) throw errors[0];
}
