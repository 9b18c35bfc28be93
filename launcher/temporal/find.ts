/**
 * Finds the Temporal server's programs: on PATH, in our cache, from the official archive, or built with Go.
 * (`TEMPORAL_ADDRESS` comes before all of these; the caller handles it.)
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { run, which } from "../run.ts";
import { requiredGoVersion, temporalArchives, temporalVersion } from "../versions.ts";
import { buildTemporal } from "./build.ts";

export interface TemporalPrograms {
  server: string;
  sqlTool: string;
}

export interface FindOptions {
  cache: string;
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  signal?: AbortSignal | undefined;
  /** Finds Go where it is not on PATH. */
  findGo?: () => Promise<string>;
  /** Where official archives are; for tests. */
  archives?: typeof temporalArchives;
}

/** Without an answer, or without a further byte, for this long, an address counts as out of reach. */
const silenceMs = 15_000;

export async function findTemporal(options: FindOptions): Promise<TemporalPrograms> {
  const onPath = {
    server: await which("temporal-server", options.env),
    sqlTool: await which("temporal-sql-tool", options.env),
  };
  if (onPath.server && onPath.sqlTool) return { server: onPath.server, sqlTool: onPath.sqlTool };
  const directory = join(options.cache, `temporal-${temporalVersion}`);
  const cached = {
    server: join(directory, "temporal-server"),
    sqlTool: join(directory, "temporal-sql-tool"),
  };
  if ((await isFile(cached.server)) && (await isFile(cached.sqlTool))) return cached;
  await mkdir(options.cache, { recursive: true });
  const staging = await mkdtemp(join(options.cache, "temporal-new-"));
  try {
    if (!(await fromArchive(staging, options))) await fromGo(staging, options);
    await rm(directory, { recursive: true, force: true });
    await rename(staging, directory);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return cached;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (s) => s.isFile(),
    () => false,
  );
}

/** False when there is no archive for this platform, it cannot be had, or it is not what was pinned. */
async function fromArchive(directory: string, options: FindOptions): Promise<boolean> {
  const archive = (options.archives ?? temporalArchives)[`${process.platform}-${process.arch}`];
  if (!archive) return false;
  const file = join(directory, "archive.tar.gz");
  const say = (text: string) => options.say(`Temporal ${temporalVersion}: ${text}`);
  say(`downloading ${archive.url}`);
  try {
    await download(archive.url, file, options.signal);
  } catch (error) {
    options.signal?.throwIfAborted();
    say(`the archive cannot be reached (${reasonOf(error)}); building it with Go instead`);
    return false;
  }
  const sha256 = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  if (sha256 !== archive.sha256) {
    await rm(file);
    say(`the archive's checksum is ${sha256}, not the pinned one; building it with Go instead`);
    return false;
  }
  await run("tar", ["-xzf", file, "-C", directory, "temporal-server", "temporal-sql-tool"]);
  await rm(file);
  return true;
}

async function download(url: string, file: string, signal: AbortSignal | undefined): Promise<void> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(new Error(`silent for ${silenceMs / 1000} s`)), silenceMs);
  try {
    const either = signal ? AbortSignal.any([silent.signal, signal]) : silent.signal;
    const response = await fetch(url, { signal: either });
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    const body = Readable.fromWeb(response.body);
    body.on("data", () => timer.refresh());
    await pipeline(body, createWriteStream(file));
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}

async function fromGo(directory: string, { env, say, signal, findGo }: FindOptions): Promise<void> {
  const go = (await which("go", env)) ?? (await findGo?.().catch(() => undefined));
  if (!go)
    throw new Error(
      `Temporal ${temporalVersion} is needed and could not be downloaded. Put temporal-server and temporal-sql-tool ` +
        `on PATH, set TEMPORAL_ADDRESS to a running server, or install Go ${requiredGoVersion} or newer (https://go.dev/dl) to build it.`,
    );
  await buildTemporal({ go, directory, env, say, signal });
}
