/** Puts the artifacts that a job's `needs` name into its workspace, before anything of the job runs. */
import { NeededList, PartSource, type NeededArtifact } from "@forgeline/schemas/artifacts/job-messages.ts";
import type { ArtifactConnection } from "./artifact-connection.ts";
import { sizeText } from "../size-text.ts";
import { ArtifactError } from "./artifact-error.ts";
import { extractZip } from "./extract-zip.ts";
import { fetchPart, fetchParts } from "./parts.ts";

export interface ArtifactFetch {
  workspace: string;
  connection: ArtifactConnection;
  signal: AbortSignal;
  onLine: (line: string) => void;
  onWarning: (text: string) => void;
}

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
    onLine(`Fetching artifact ${name} of ${job} (${sizeText(sizeBytes)})`);
    await extractZip(partsOf(fetch, artifact), { workspace, sizeBytes }).catch((error: unknown) => {
      if (!(error instanceof ArtifactError)) throw error;
      throw new ArtifactError(`Artifact ${name} of ${job}: ${error.message}`, false, { cause: error });
    });
  }
}

export class MissingArtifact extends ArtifactError {}

/** Each is checked before anything of it is used. */
function partsOf(fetch: ArtifactFetch, artifact: NeededArtifact): AsyncGenerator<Buffer> {
  const { connection } = fetch;
  const { id, parts } = artifact;
  return fetchParts(parts.length, fetch.signal, (number, signal) => {
    const path = `/artifacts/${id}/parts/${number}`;
    return fetchPart(connection, parts[number] ?? "", {
      signal,
      async ask() {
        const { direct } = await connection.ask(path, { body: {}, answer: PartSource, signal });
        return { path, direct };
      },
    });
  });
}
