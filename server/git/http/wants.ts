/**
 * The wall that Git lacks: by itself protocol 2 serves every object that is in the store, also commits of deleted refs, and
 * the older ones serve the tips of hidden refs (they do once commits may be wanted by id). We look at what a fetch wants, and let only commits pass that some visible ref reaches. Trees and files
 * pass by their id, since partial clones fetch them so.
 */
import type { Readable } from "node:stream";
import { AppError } from "../../platform/app-error.ts";
import type { RunGit } from "../run-git.ts";

/** A request of a fetch: a want or have is 50 bytes, and a large partial clone wants a hundred thousand files. */
const maxRequestBytes = 16 * 1024 * 1024;

/** The whole body. Throws `payload_too_large`. */
export async function readRequest(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxRequestBytes) throw new AppError("payload_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Object ids of the `want` lines, each once. What is no packet ends the list; Git itself will complain. */
export function parseWants(request: Buffer): string[] {
  const wants = new Set<string>();
  let at = 0;
  while (at + 4 <= request.length) {
    const length = Number.parseInt(request.toString("latin1", at, at + 4), 16);
    if (Number.isNaN(length)) break;
    // The older protocols put what the client can do behind its first want.
    const match = /^want ([0-9a-f]{40})(?: [^\n]*)?\n?$/.exec(
      request.toString("latin1", at + 4, at + length),
    );
    if (match) wants.add(match[1]!);
    // Lengths below 4 are the separators, which have no content.
    at += Math.max(4, length);
  }
  return [...wants];
}

/** False when a wanted commit is reached by no visible ref, or when a wanted object is not there. */
export async function mayHave(runGit: RunGit, directory: string, wants: readonly string[]): Promise<boolean> {
  if (wants.length === 0) return true;
  const args = ["rev-list", "--max-count=1", "--stdin", "--not", "--exclude=refs/internal/*", "--all"];
  const result = await runGit({
    directory,
    args,
    input: `${wants.join("\n")}\n`,
    acceptExitCodes: [0, 128],
  });
  return result.exitCode === 0 && result.stdout.length === 0;
}

/** How Git's server says it: one error packet. */
export function notOurs(): Buffer {
  const text = "ERR upload-pack: not our ref\n";
  return Buffer.from(`${(text.length + 4).toString(16).padStart(4, "0")}${text}`);
}
