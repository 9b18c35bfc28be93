/** Puts the artifacts that a job's `needs` name into its workspace, before anything of the job runs. */
import { createHash } from "node:crypto";
import { NeededList, PartSource, type NeededArtifact } from "@forgeline/schemas/artifacts/job-messages.ts";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { persist, type ArtifactConnection } from "./artifact-connection.ts";
import { ArtifactError } from "./artifact-error.ts";
import { extractZip } from "./extract-zip.ts";

export interface ArtifactFetch {
  workspace: string;
  connection: ArtifactConnection;
  signal: AbortSignal;
  onLine: (line: string) => void;
  onWarning: (text: string) => void;
}

const fetchedAtOnce = 3;

/** Throws `ArtifactError`; `MissingArtifact` for one that is not there and not optional. */
export async function fetchArtifacts(fetch: ArtifactFetch): Promise<void> {
  const { connection, signal, onLine, onWarning, workspace } = fetch;
  const { artifacts, missing } = await connection.ask("/needed", { body: {}, answer: NeededList, signal });
  for (const { job, name, optional } of missing) {
    const message = `Job ${job} left no artifact ${name}: no file matched, its steps ended otherwise, or it has expired.`;
    if (!optional) throw new MissingArtifact(message);
    onWarning(message);
  }
  for (const artifact of artifacts) {
    const { job, name, size_bytes: sizeBytes } = artifact;
    onLine(`Fetching artifact ${name} of ${job} (${(sizeBytes / 1e6).toFixed(1)} MB)`);
    await extractZip(partsOf(fetch, artifact), { workspace, sizeBytes }).catch((error: unknown) => {
      if (!(error instanceof ArtifactError)) throw error;
      throw new ArtifactError(`Artifact ${name} of ${job}: ${error.message}`, false, { cause: error });
    });
  }
}

export class MissingArtifact extends ArtifactError {}

/** In their order, a few ahead. Each is checked before anything of it is used. */
async function* partsOf(fetch: ArtifactFetch, artifact: NeededArtifact): AsyncGenerator<Buffer> {
  const stop = new AbortController();
  const signal = AbortSignal.any([fetch.signal, stop.signal]);
  const coming: Promise<Buffer>[] = [];
  let next = 0;
  try {
    while (next < artifact.parts.length || coming.length > 0) {
      for (; next < artifact.parts.length && coming.length < fetchedAtOnce; next += 1) {
        const part = fetchPart({ ...fetch, signal }, artifact, next);
        // Thrown when it is its turn.
        part.catch(() => undefined);
        coming.push(part);
      }
      yield (await coming.shift()) as Buffer;
    }
  } finally {
    stop.abort();
    await Promise.allSettled(coming);
  }
}

async function fetchPart(
  { connection, signal }: ArtifactFetch,
  { id, parts }: NeededArtifact,
  number: number,
): Promise<Buffer> {
  const path = `/artifacts/${id}/parts/${number}`;
  return persist(signal, async () => {
    const { direct } = await connection.ask(path, { body: {}, answer: PartSource, signal });
    const bytes = await connection.get({ path, direct }, partBytes, signal);
    if (createHash("sha256").update(bytes).digest("hex") === parts[number]) return bytes;
    throw new ArtifactError("the received bytes are not those of the artifact", true);
  });
}
