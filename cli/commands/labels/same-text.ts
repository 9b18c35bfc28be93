/** Finds what people name by its text, whose case does not matter. */

export function sameText<T>(found: readonly T[], wanted: string, textOf: (each: T) => string): T | undefined {
  const key = wanted.trim().toLowerCase();
  return (
    found.find((each) => textOf(each) === wanted) ?? found.find((each) => textOf(each).toLowerCase() === key)
  );
}
