/** Looks for damage: every object is read, unpacked, and its links are followed. */
import type { RunGit } from "../processes/run-git.ts";

const timeoutMs = 3 * 60 * 60 * 1000;
const maxLines = 50;
/** `git fsck` adds up one bit for each kind of damage. */
const exitCodes = Array.from({ length: 64 }, (_, code) => code);

/** Git's messages about damage, at most 50 lines; empty if there is none. Throws the signal's reason. */
export async function checkRepository(
  runGit: RunGit,
  directory: string,
  signal: AbortSignal,
): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runGit({
    directory,
    args: ["fsck", "--full", "--no-dangling", "--no-progress"],
    acceptExitCodes: exitCodes,
    timeoutMs,
    background: true,
    signal,
  });
  if (exitCode === 0) return [];
  const lines = `${stderr}${stdout.toString("utf8")}`.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 ? lines.slice(0, maxLines) : [`git fsck ended with ${exitCode}`];
}
