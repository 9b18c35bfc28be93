/**
 * An answer that is asked for before the page knows the merge request. Pages keep answers by the head that they belong to, which only
 * the record tells; the answer to a question that went out beside it is as good.
 */
interface MergeRequestPath {
  owner: string;
  repo: string;
  number: number;
}

export interface EarlyAnswer<T> {
  /** Asks now. */
  begin(path: MergeRequestPath): void;
  /** What was begun for it, once and for a short time; otherwise asks. */
  take(path: MergeRequestPath, signal?: AbortSignal): Promise<T>;
}

const keptMs = 10_000;

export function createEarlyAnswer<T>(
  ask: (path: MergeRequestPath, signal?: AbortSignal) => Promise<T>,
): EarlyAnswer<T> {
  const begun = new Map<string, Promise<T>>();
  const keyOf = ({ owner, repo, number }: MergeRequestPath) => `${owner}/${repo}/${number}`;
  return {
    begin(path) {
      const key = keyOf(path);
      const answer = ask(path);
      begun.set(key, answer);
      // Whoever takes it sees the failure.
      answer.catch(() => undefined);
      setTimeout(() => {
        if (begun.get(key) === answer) begun.delete(key);
      }, keptMs);
    },
    take(path, signal) {
      const key = keyOf(path);
      const answer = begun.get(key);
      begun.delete(key);
      return answer ?? ask(path, signal);
    },
  };
}
