/**
 * Stands where the engine of jobs has the server's artifacts: keeps their parts in the directory of the run, gives them to jobs that
 * need them, and unpacks them where the developer wants to have them.
 */
import { createReadStream } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ArtifactConnection } from "@forgeline/runner/artifacts/artifact-connection.ts";
import { ArtifactError } from "@forgeline/runner/artifacts/artifact-error.ts";
import { extractZip } from "@forgeline/runner/artifacts/extract-zip.ts";
import {
  AnnouncePart,
  BeginUpload,
  CompleteUpload,
  type NeededList,
} from "@forgeline/schemas/artifacts/job-messages.ts";
import { reportsName } from "@forgeline/schemas/reports/manifest.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { chosenArtifacts } from "@forgeline/server/domains/pipelines/artifacts/chosen-artifacts.ts";
import { neededRows } from "@forgeline/server/domains/pipelines/runs/needed-jobs.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { labelOf, type LocalJob, type LocalRun } from "./local-run.ts";
import { readUploadedReports } from "./reports.ts";

export interface ArtifactPlaces {
  /** Of the run; parts are kept here until it has ended. */
  directory: string;
  /** Where the files of each artifact stay, in `JOB/NAME`; undefined: nowhere. */
  kept: string | undefined;
  onNote: (line: string) => void;
}

interface Artifact {
  id: string;
  jobId: string;
  attempt: number;
  name: string;
  sizeBytes: number;
  files: number;
  /** SHA-256 of each. */
  parts: string[];
  isComplete: boolean;
}

type Attempt = Pick<LeaseSpec, "jobId" | "attempt" | "job">;

/** What one attempt may ask. */
export function createArtifacts(
  run: LocalRun,
  places: ArtifactPlaces,
): (attempt: Attempt) => ArtifactConnection {
  const all: Artifact[] = [];
  const fileOf = (id: string, number: number | string) => join(places.directory, id, String(number));

  function find(id: string | undefined): Artifact {
    const found = all.find((artifact) => artifact.id === id);
    if (!found) throw new ArtifactError("there is no such artifact");
    return found;
  }

  async function begin({ jobId, attempt }: Attempt, body: object) {
    const { name, size_bytes: sizeBytes, files } = BeginUpload.parse(body);
    const id = newId("art");
    await mkdir(join(places.directory, id), { recursive: true, mode: 0o700 });
    all.push({ id, jobId, attempt, name, sizeBytes, files, parts: [], isComplete: false });
    return { id, complete: false };
  }

  async function complete(artifact: Artifact, body: object) {
    CompleteUpload.parse(body);
    const bytes = bytesOf(artifact, fileOf);
    if (artifact.name === reportsName) await readThem(run, artifact, { places, bytes });
    else if (places.kept !== undefined) await keep(run, artifact, { places, bytes });
    artifact.isComplete = true;
    return {};
  }

  return (attempt) => ({
    async ask(path, { body, answer }) {
      const [, kind, id, what, number] = path.split("/");
      const said = async () => {
        if (kind === "needed") return neededBy(run, attempt.job, all);
        if (kind === "artifacts" || what === "parts") {
          if (kind === "uploads") note(find(id), AnnouncePart.parse(body));
          return kind === "uploads" ? { stored: false, direct: null } : { direct: null, number };
        }
        return what === "complete" ? complete(find(id), body) : begin(attempt, body);
      };
      return answer.parse(await said());
    },
    async put({ path }, bytes) {
      const [, , id = "", , number = ""] = path.split("/");
      await writeFile(fileOf(find(id).id, Number(number)), bytes, { mode: 0o600 });
    },
    async get({ path }) {
      const [, , id = "", , number = ""] = path.split("/");
      return readFile(fileOf(find(id).id, Number(number)));
    },
    close: () => undefined,
  });
}

function note({ parts }: Artifact, { number, sha256 }: AnnouncePart): void {
  parts[number] = sha256;
}

/** Of the latest attempt of each job, as a server gives them. */
function neededBy({ jobs }: LocalRun, { needs }: Attempt["job"], all: readonly Artifact[]): NeededList {
  const rows = jobs.flatMap((job) => rowsOf(job, all));
  const lists = (needs ?? [])
    .filter(({ artifacts }) => artifacts !== undefined)
    .map((need) => chosenArtifacts(need, neededRows(need, rows)));
  return {
    artifacts: lists.flatMap(({ artifacts }) => artifacts),
    missing: lists.flatMap(({ missing }) => missing),
  };
}

function rowsOf({ id: jobId, key, matrix, attempts }: LocalJob, all: readonly Artifact[]) {
  return all
    .filter(({ name, isComplete }) => isComplete && name !== reportsName)
    .filter((one) => one.jobId === jobId && one.attempt === attempts.length)
    .map(({ id, name, sizeBytes, files, parts }) => ({
      id,
      name,
      size_bytes: sizeBytes,
      files,
      parts,
      key,
      matrix,
    }));
}

async function* bytesOf(
  { id, parts }: Artifact,
  fileOf: (id: string, number: number) => string,
): AsyncGenerator<Buffer> {
  for (const number of parts.keys()) yield* createReadStream(fileOf(id, number)) as AsyncIterable<Buffer>;
}

/** Never rejects: reports decide nothing. */
async function readThem(
  { jobs }: LocalRun,
  { id, jobId, sizeBytes }: Artifact,
  { places, bytes }: { places: ArtifactPlaces; bytes: AsyncIterable<Buffer> },
): Promise<void> {
  const job = jobs.find((one) => one.id === jobId);
  if (!job) return;
  try {
    const directory = join(places.directory, id, "reports");
    job.reports = await readUploadedReports(bytes, { directory, sizeBytes });
  } catch (error) {
    places.onNote(`The reports of ${labelOf(job)} could not be read: ${(error as Error).message}`);
  }
}

/** In place of what an earlier run, or an earlier attempt, left there. Never rejects. */
async function keep(
  { jobs }: LocalRun,
  { jobId, name, sizeBytes }: Artifact,
  { places, bytes }: { places: ArtifactPlaces; bytes: AsyncIterable<Buffer> },
): Promise<void> {
  const job = jobs.find(({ id }) => id === jobId);
  const label = job ? labelOf(job).replaceAll("/", "_") : jobId;
  const place = join(places.kept ?? places.directory, label, name);
  try {
    await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true });
    await extractZip(bytes, { workspace: place, sizeBytes });
  } catch (error) {
    places.onNote(`The artifact ${name} could not be written to ${place}: ${(error as Error).message}`);
  }
}
