/**
 * The Git repository that an archive has, as one that can be fetched from. Only packs, objects and refs are taken, each in a place that we
 * name: configuration, hooks, alternates and indexes of somebody else would be followed by Git.
 */
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pushEnvironment, type Git } from "../../../../platform/git/processes/run-git.ts";
import type { Remote } from "../../../../platform/git/remote/open-remote.ts";
import { SourceProblem } from "../source-problem.ts";
import type { ArchiveEntry } from "./archive-entries.ts";
import { createArchivedRefs } from "./archived-refs.ts";
import { bundleHead } from "./bundle-head.ts";

export interface ArchivedGit {
  remote: Remote;
  /** What its HEAD names, where the archive says it. */
  head: string | null;
}

interface Extracting {
  source: "github" | "gitlab";
  /** `OWNER/NAME` there. */
  sourcePath: string;
  /** In which a folder is made. */
  within: string;
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}

const { GIT_ALLOC_LIMIT } = pushEnvironment;
const maxPacks = 10_000;
const packAt = /^objects\/pack\/pack-([0-9a-f]{40})\.pack$/;
const objectAt = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38})$/;
const bundleName = "project.bundle";

/** Undefined where the archive has none. Its `remote` is to be closed. Throws `SourceProblem`, `GitError`, and what `entries` throws. */
export async function extractGit(
  git: Pick<Git, "run">,
  entries: AsyncIterable<ArchiveEntry>,
  extracting: Extracting,
): Promise<ArchivedGit | undefined> {
  // Maintenance removes it after a day, where this process dies.
  const directory = await mkdtemp(join(extracting.within, "tmp_objdir-archive-"));
  const close = () => rm(directory, { recursive: true, force: true });
  try {
    const found =
      extracting.source === "gitlab"
        ? await extractBundle(entries, directory, extracting)
        : await extractRepository(git, entries, { ...extracting, directory });
    if (!found) await close();
    return found && { ...found, remote: remoteOf(found.path, close) };
  } catch (error) {
    await close();
    throw error;
  }
}

function remoteOf(path: string, close: () => Promise<void>): Remote {
  return {
    url: path,
    options: [],
    env: { GIT_ALLOW_PROTOCOL: "file" },
    hostKey: () => Promise.resolve(null),
    command: () => Promise.resolve(null),
    problem: () => undefined,
    close,
  };
}

interface Found {
  path: string;
  head: string | null;
}

async function extractBundle(
  entries: AsyncIterable<ArchiveEntry>,
  directory: string,
  { maxBytes }: Extracting,
): Promise<Found | undefined> {
  const path = join(directory, bundleName);
  for await (const entry of entries) {
    if (!/^(?:[^/]+\/)?project\.bundle$/.test(entry.path)) continue;
    if (entry.sizeBytes > maxBytes) throw tooLarge(maxBytes);
    await write(entry, path);
    return { path, head: await bundleHead(path) };
  }
  return undefined;
}

async function extractRepository(
  git: Pick<Git, "run">,
  entries: AsyncIterable<ArchiveEntry>,
  { directory, sourcePath, maxBytes, timeoutMs, signal }: Extracting & { directory: string },
): Promise<Found | undefined> {
  const inside = pathInside(sourcePath);
  const refs = createArchivedRefs();
  const packs: string[] = [];
  const folders = new Set<string>();
  let bytes = 0;
  await layOut(directory);
  for await (const entry of entries) {
    const path = inside(entry.path);
    if (path === undefined) continue;
    const [, pack] = packAt.exec(path) ?? [];
    const [, folder, name] = objectAt.exec(path) ?? [];
    const to = pack
      ? join("objects", "pack", `pack-${pack}.pack`)
      : folder && name && join("objects", folder, name);
    if (!to) {
      await refs.take(path, entry);
      continue;
    }
    bytes += entry.sizeBytes;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (folder && !folders.has(folder)) await mkdir(join(directory, "objects", folder));
    if (folder) folders.add(folder);
    if (pack) packs.push(to);
    if (packs.length > maxPacks) throw new SourceProblem(`The repository has more than ${maxPacks} packs.`);
    await write(entry, join(directory, to));
  }
  if (refs.count() === 0) return undefined;
  await writeFile(join(directory, "packed-refs"), refs.packed());
  for (const pack of packs)
    await git.run({
      directory,
      args: ["index-pack", join(directory, pack)],
      env: { GIT_ALLOC_LIMIT },
      timeoutMs,
      signal,
      background: true,
    });
  return { path: directory, head: refs.head() };
}

/** The path in the bare repository; undefined for what is not of this one. */
function pathInside(sourcePath: string): (path: string) => string | undefined {
  const folder = `repositories/${sourcePath.toLowerCase()}.git/`;
  return (path) => {
    const at = path.toLowerCase().indexOf(folder);
    const isHere = at === 0 || (at > 0 && path.indexOf("/") === at - 1);
    return isHere ? path.slice(at + folder.length) : undefined;
  };
}

async function layOut(directory: string): Promise<void> {
  await mkdir(join(directory, "objects", "pack"), { recursive: true });
  await mkdir(join(directory, "refs"));
  await writeFile(join(directory, "HEAD"), "ref: refs/heads/none\n");
  await writeFile(join(directory, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
}

/** Of an archive that has the same file twice, the last one counts. */
async function write({ bytes }: ArchiveEntry, path: string): Promise<void> {
  await pipeline(Readable.from(bytes), createWriteStream(path, { mode: 0o600 }));
}

const tooLarge = (maxBytes: number) =>
  new SourceProblem(`The repository is larger than a repository may be here (${maxBytes} bytes).`);
