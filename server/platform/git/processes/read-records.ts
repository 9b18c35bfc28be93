/** Reads long output of Git record by record: memory does not grow with the output. */
import { AppError } from "../../app-error.ts";
import { GitError, type GitStart, type StartGit } from "./run-git.ts";

export interface RecordReading extends Omit<GitStart, "stdio"> {
  separator: "\n" | "\0";
  /** A longer record comes without parts of its middle, which is not kept in memory; it is still longer than this. */
  maxRecordBytes?: number;
  /** What came is enough where Git takes too long. */
  mayBeCut?: true;
  /** False ends the read, and the Git process. */
  onRecord(record: Buffer): boolean | void;
}

/** Time limit of a Git process that a caller waits for. */
export const queryTimeoutMs = 20_000;

/** Whether Git came to its end. Throws `GitError` when it fails, `unavailable` when it takes too long. */
export async function readRecords(startGit: StartGit, reading: RecordReading): Promise<boolean> {
  const { separator, onRecord, mayBeCut, maxRecordBytes = Number.POSITIVE_INFINITY, ...start } = reading;
  const child = await startGit({
    timeoutMs: queryTimeoutMs,
    isQuestion: true,
    ...start,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let problem = "";
  child.stderr!.on("data", (chunk: Buffer) => {
    if (problem.length < 2000) problem += chunk.toString("utf8");
  });
  let wanted = true;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (rest.length > maxRecordBytes && !chunk.includes(separator)) continue;
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = rest.indexOf(separator); wanted && end >= 0; end = rest.indexOf(separator, at)) {
      wanted = onRecord(rest.subarray(at, end)) !== false;
      at = end + 1;
    }
    rest = rest.subarray(at);
    if (!wanted) break;
  }
  if (!wanted) child.kill();
  const exitCode = await child.closed;
  if (wanted && rest.length > 0) onRecord(rest);
  if (!wanted || exitCode === 0) return wanted;
  if (exitCode === null && mayBeCut) return false;
  if (exitCode === null) throw tooSlow();
  throw new GitError(start.args[0] ?? "", exitCode, problem);
}

export function tooSlow(): AppError {
  return new AppError("unavailable", {
    message: "Reading this from the repository took too long.",
    retryAfterSeconds: 30,
  });
}
