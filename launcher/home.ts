/**
 * The directory of one instance, `$FORGELINE_HOME`: where each thing lies, the secrets made at the first start, the
 * ports that were picked (kept, so that addresses survive a restart), and the guard against starting it twice.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { identityOf, isSameProcess } from "./process-identity.ts";
import type { PostgresSecrets } from "./postgres/cluster.ts";
import { isTraversableByOthers, systemDirectory } from "./postgres/programs.ts";

export interface HomePaths {
  root: string;
  postgresql: string;
  temporal: string;
  tls: string;
  data: string;
  objects: string;
  runner: string;
  downloads: string;
  demo: string;
  logs: string;
  connectionFile: string;
  pidFile: string;
  /** A file for each child process that runs. */
  processes: string;
}

export interface HomeSecrets {
  postgres: PostgresSecrets;
  admin: { username: string; password: string; token: string | null };
}

export async function openHome(root: string): Promise<HomePaths> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const paths = pathsIn(root, await postgresDirectory(root));
  for (const directory of [paths.tls, paths.data, paths.objects, paths.runner, paths.downloads, paths.logs])
    await mkdir(directory, { recursive: true, mode: 0o700 });
  return paths;
}

/** Also used by `npm run stop`, which must not make anything. */
export function pathsIn(root: string, postgresql = join(root, "postgresql")): HomePaths {
  const at = (name: string) => join(root, name);
  return {
    root,
    postgresql,
    temporal: at("temporal"),
    tls: at("tls"),
    data: at("data"),
    objects: at("objects"),
    runner: at("runner"),
    downloads: at("downloads"),
    demo: at("demo"),
    logs: at("logs"),
    connectionFile: at("connection.json"),
    pidFile: at("launcher.pid"),
    processes: at("processes"),
  };
}

/** PostgreSQL runs as another user when we are root, and that user must get to its data. */
async function postgresDirectory(root: string): Promise<string> {
  const inside = join(root, "postgresql", "data");
  if (process.getuid?.() !== 0) return inside;
  // The home itself is ours alone (0700), so as root the cluster always lies beside, not inside.
  const name = createHash("sha256").update(root).digest("hex").slice(0, 12);
  const shared = `${root}-postgresql`;
  return (await isTraversableByOthers(shared))
    ? join(shared, "data")
    : join(systemDirectory, `instance-${name}`, "data");
}

/** Reads a JSON file of the home, or makes it with `create` at the first start. Mode 0600, replaced atomically. */
export async function readOrCreate<T>(
  paths: HomePaths,
  name: string,
  create: () => T | Promise<T>,
): Promise<T> {
  const text = await readFile(join(paths.root, name), "utf8").catch(() => undefined);
  if (text !== undefined) return JSON.parse(text) as T;
  const value = await create();
  await writeJson(paths, name, value);
  return value;
}

export async function writeJson(paths: HomePaths, name: string, value: unknown): Promise<void> {
  const file = join(paths.root, name);
  await writeFile(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

export function makeSecrets(): HomeSecrets {
  const secret = () => randomBytes(18).toString("hex");
  return {
    postgres: { superuser: secret(), owner: secret(), app: secret(), temporal: secret() },
    admin: { username: "admin", password: randomBytes(12).toString("base64url"), token: null },
  };
}

/** Refuses when a launcher of this home is alive. Of two that start at the same moment one wins. */
export async function claimHome(paths: HomePaths): Promise<void> {
  const mine = identityOf(process.pid) ?? String(process.pid);
  for (;;) {
    const pid = await runningLauncher(paths);
    if (pid)
      throw new Error(
        `this instance is already running (pid ${pid}); "npm run stop" ends it, or set FORGELINE_HOME to use another one`,
      );
    // A file that names no living launcher is what a killed one left.
    await rm(paths.pidFile, { force: true });
    const claimed = await writeFile(paths.pidFile, mine, { flag: "wx" }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    if (claimed) break;
  }
  await rm(paths.connectionFile, { force: true });
}

export async function releaseHome(paths: HomePaths): Promise<void> {
  await rm(paths.connectionFile, { force: true });
  await rm(paths.pidFile, { force: true });
}

/** The pid of the launcher that runs this home, if one does. */
export async function runningLauncher(paths: HomePaths): Promise<number | undefined> {
  const identity = await readFile(paths.pidFile, "utf8").catch(() => "");
  return isSameProcess(identity) ? Number.parseInt(identity, 10) : undefined;
}
