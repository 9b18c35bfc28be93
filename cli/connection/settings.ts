/**
 * Where the command line talks to and as whom, found in this order: flags, environment, the `connection.json` of an
 * instance (of `FORGELINE_HOME`, or of the nearest directory upwards that has `.forgeline/`), and what `login` kept.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

export interface Connection {
  /** `https://HOST`. */
  url: string;
  token: string | undefined;
  /** PEM of an authority to trust in addition to the system's. */
  ca: string | undefined;
  caFile: string | undefined;
}

export interface ConnectionFlags {
  url?: string;
  token?: string;
  caFile?: string;
}

/** A mistake of the user: shown as one sentence, exit status 2. */
export class UsageError extends Error {}

interface Candidate {
  url?: string | undefined;
  token?: string | undefined;
  caFile?: string | undefined;
}

export async function findConnection(
  flags: ConnectionFlags,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Connection> {
  const fromEnvironment: Candidate = {
    url: env["FORGELINE_URL"],
    token: env["FORGELINE_TOKEN"],
    caFile: env["FORGELINE_CA_FILE"],
  };
  const kept = (await readInstance(env)) ?? (await readLogin(env)) ?? {};
  const url = (flags.url ?? fromEnvironment.url ?? kept.url)?.replace(/\/+$/, "");
  if (!url)
    throw new UsageError(
      `not connected to any Forgeline: use "forgeline login", or run inside a checkout with a running instance`,
    );
  if (!url.startsWith("https://") || !URL.canParse(url))
    throw new UsageError(`the server's address must be https://HOST, not "${url}"`);
  // A token is only ever sent to the address that it was given for.
  const same = kept.url === url ? kept : {};
  const caFile = flags.caFile ?? fromEnvironment.caFile ?? same.caFile;
  return {
    url,
    token: flags.token ?? fromEnvironment.token ?? same.token,
    ca: caFile === undefined ? undefined : await readAuthority(caFile),
    caFile,
  };
}

async function readAuthority(file: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new UsageError(`cannot read ${file}, the authority's certificate`, { cause });
  });
}

async function readInstance(env: NodeJS.ProcessEnv): Promise<Candidate | undefined> {
  for (const directory of instanceDirectories(env)) {
    const text = await readFile(join(directory, "connection.json"), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const file = JSON.parse(text) as { auth_url: string; ca_file: string; admin: { token: string } };
    return { url: file.auth_url, token: file.admin.token, caFile: file.ca_file };
  }
  return undefined;
}

function instanceDirectories(env: NodeJS.ProcessEnv): string[] {
  if (env["FORGELINE_HOME"]) return [resolve(env["FORGELINE_HOME"])];
  const directories: string[] = [];
  for (let at = process.cwd(); ; at = dirname(at)) {
    directories.push(join(at, ".forgeline"));
    if (at === dirname(at)) return directories;
  }
}

function loginFile(env: NodeJS.ProcessEnv): string {
  return join(env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "forgeline", "login.json");
}

async function readLogin(env: NodeJS.ProcessEnv): Promise<Candidate | undefined> {
  const text = await readFile(loginFile(env), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Candidate);
}

/** Keeps a login, mode 0600. Returns the file's path. */
export async function keepLogin(
  login: { url: string; token: string; caFile: string | undefined },
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const file = loginFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  return file;
}
