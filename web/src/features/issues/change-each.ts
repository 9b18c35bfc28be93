/** One change to several issues, one after another. What fails is told and stops nothing. */
import { problemOf } from "../../api/problem.ts";
import type { Issue } from "./use-issues.ts";

export interface Failure {
  number: number;
  title: string;
  message: string;
}

export async function changeEach(
  issues: readonly Issue[],
  change: (issue: Issue) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const [index, issue] of issues.entries()) {
    onProgress(index);
    try {
      await change(issue);
    } catch (error) {
      failures.push({ number: issue.number, title: issue.title, message: problemOf(error).message });
    }
  }
  return failures;
}
