/**
 * Stands where the engine of jobs has the server's caches: keeps them in a directory of the project, from one run to the next. An
 * entry is a directory that is put in place as a whole and never changed, so runs at the same time do not disturb each other.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactError } from "@forgeline/runner/artifacts/artifact-error.ts";
import type { ArtifactConnection } from "@forgeline/runner/artifacts/artifact-connection.ts";
import {
  AnnounceCachePart,
  BeginCache,
  CompleteCache,
  FoundCache,
  LookUpCache,
  type CacheLimits,
} from "@forgeline/schemas/caches/job-messages.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { z } from "zod";

const gib = 1024 ** 3;
const dayMs = 24 * 60 * 60 * 1000;
/** What is used least goes when all caches of a project take more. */
const maxBytes = 10 * gib;
const limits: CacheLimits = { bytes: 10 * gib, entries: 1_000_000 };

/** `paths`: those of its cache, as JSON; a cache with others does not find it. */
const Entry = FoundCache.omit({ exact: true }).extend({ paths: z.string(), createdAtMs: z.number() });
type Entry = z.infer<typeof Entry>;

const nameOf = ({ key, paths }: Pick<Entry, "key" | "paths">) =>
  createHash("sha256").update(`${key}\n${paths}`).digest("hex");

/** Of the cache in the job's file. */
type PathsAt = (position: number) => string;

/** `directory`: of the project; made when there is something to keep. */
export function createCaches(directory: string): (lease: Pick<LeaseSpec, "job">) => ArtifactConnection {
  const begun = new Map<string, Entry>();
  /** Where its parts are: begun ones aside, so that nobody finds them. */
  const placeOf = (entry: Entry) => join(directory, begun.has(entry.id) ? `.${entry.id}` : nameOf(entry));
  const found = new Map<string, Entry>();

  async function lookUp(pathsAt: PathsAt, body: object) {
    const { position, key, restore } = LookUpCache.parse(body);
    const paths = pathsAt(position);
    const entries = (await readEntries(directory)).filter((entry) => entry.paths === paths);
    const prefixed = restore.map((prefix) => entries.find((entry) => entry.key.startsWith(prefix)));
    const entry = entries.find((one) => one.key === key) ?? prefixed.find((one) => one !== undefined);
    if (!entry) return { found: null, limits };
    found.set(entry.id, entry);
    await touch(join(directory, nameOf(entry)));
    return { found: { ...entry, exact: entry.key === key }, limits };
  }

  async function begin(pathsAt: PathsAt, body: object) {
    const { position, key } = BeginCache.parse(body);
    const paths = pathsAt(position);
    if (await stat(join(directory, nameOf({ key, paths }))).catch(() => null)) return { id: null, limits };
    const id = newId("cache");
    begun.set(id, { id, key, paths, size_bytes: 0, parts: [], createdAtMs: Date.now() });
    await mkdir(join(directory, `.${id}`), { recursive: true, mode: 0o700 });
    return { id, limits };
  }

  async function complete(entry: Entry, body: object) {
    CompleteCache.parse(body);
    entry.size_bytes = entry.parts.reduce((sum, part) => sum + part.size_bytes, 0);
    const place = placeOf(entry);
    await writeFile(join(place, "entry.json"), JSON.stringify(entry));
    begun.delete(entry.id);
    const saved = await rename(place, placeOf(entry)).then(
      () => true,
      // Another run was faster.
      () => false,
    );
    if (!saved) await rm(place, { recursive: true, force: true });
    else await makeRoom(directory);
    return { saved };
  }

  function find(id: string | undefined): Entry {
    const entry = begun.get(id ?? "") ?? found.get(id ?? "");
    if (!entry) throw new ArtifactError("there is no such cache");
    return entry;
  }

  async function answerTo(pathsAt: PathsAt, path: string, body: object): Promise<object> {
    const [, kind, id, what, number] = path.split("/");
    if (kind === "lookup") return lookUp(pathsAt, body);
    if (id === undefined) return begin(pathsAt, body);
    if (what === "complete") return complete(find(id), body);
    if (number === undefined) note(find(id), AnnounceCachePart.parse(body));
    return { stored: false, direct: null };
  }

  const partAt = (path: string) => {
    const [, , id, , number] = path.split("/");
    return join(placeOf(find(id)), String(Number(number)));
  };

  return ({ job }) => ({
    ask: async (path, { body, answer }) => answer.parse(await answerTo(pathsIn(job), path, body)),
    put: ({ path }, bytes) => writeFile(partAt(path), bytes, { mode: 0o600 }),
    get: ({ path }) => readFile(partAt(path)),
    close: () => undefined,
  });
}

const pathsIn =
  (job: PlanJob): PathsAt =>
  (position) =>
    JSON.stringify(job.cache?.[position]?.paths ?? []);

function note({ parts }: Entry, { number, sha256, size_bytes }: AnnounceCachePart): void {
  parts[number] = { sha256, size_bytes };
}

/** Newest first. One that cannot be read is none. */
async function readEntries(directory: string): Promise<Entry[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => !name.startsWith("."));
  const entries = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name, "entry.json"), "utf8").catch(() => "null");
      return Entry.safeParse(JSON.parse(text)).data ?? [];
    }),
  );
  return entries.flat().toSorted((a, b) => b.createdAtMs - a.createdAtMs);
}

async function touch(place: string): Promise<void> {
  const now = new Date();
  await utimes(join(place, "entry.json"), now, now).catch(() => undefined);
}

/** What runs that were killed have begun to save. */
async function removeBegun(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(".")) continue;
    const { mtimeMs = Date.now() } = (await stat(join(directory, name)).catch(() => null)) ?? {};
    if (Date.now() - mtimeMs > dayMs) await rm(join(directory, name), { recursive: true, force: true });
  }
}

async function makeRoom(directory: string): Promise<void> {
  await removeBegun(directory);
  const entries = await readEntries(directory);
  const used = await Promise.all(
    entries.map(async (entry) => {
      const place = join(directory, nameOf(entry));
      const { mtimeMs = 0 } = (await stat(join(place, "entry.json")).catch(() => null)) ?? {};
      return { place, usedAtMs: mtimeMs, bytes: entry.size_bytes };
    }),
  );
  let kept = 0;
  for (const { place, bytes } of used.toSorted((a, b) => b.usedAtMs - a.usedAtMs)) {
    kept += bytes;
    if (kept > maxBytes) await rm(place, { recursive: true, force: true });
  }
}
