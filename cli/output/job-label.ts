/** What a job is called in a terminal. */
import { combinationName } from "@forgeline/compiler/matrix.ts";

/** Its key, and the values of a combination of a matrix, as the server says it with log lines. Not safe to print. */
export function jobLabel({ key, matrix }: { key: string; matrix: Record<string, string> | null }): string {
  return combinationName(key, matrix);
}
