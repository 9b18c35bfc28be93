/**
 * A server of somebody else that mirrors follow: bare repositories over HTTPS (`git http-backend`, with the bed's certificate) and
 * over `git daemon`. It answers otherwise where a test says so.
 */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { readBed } from "./bed.ts";
import { eventually } from "./eventually.ts";

const run = promisify(execFile);

export interface SourceRepository {
  directory: string;
  /** Over HTTPS. */
  url: string;
  /** Relative to the server. */
  path: string;
  /** Runs Git there; its output without the last line break. */
  git(...args: string[]): Promise<string>;
  /** A commit on a branch with these files, which are all that it has; its id. */
  commit(branch: string, files: Record<string, string>): Promise<string>;
  /** Commands of `git update-ref --stdin`. */
  updateRefs(commands: string): Promise<void>;
  /** Every ref with its value, by name. */
  refs(): Promise<string[]>;
}

export type SourceAnswer = (request: IncomingMessage, response: ServerResponse, usual: () => void) => void;

export interface GitSource {
  /** `https://localhost:PORT` */
  url: string;
  port: number;
  root: string;
  create(name: string): Promise<SourceRepository>;
  /** What comes before the usual answer. */
  answer: SourceAnswer;
  /** Paths and headers of all requests. */
  requests: { path: string; authorization: string | undefined }[];
  /** Serves the same repositories as `git://127.0.0.1:PORT`; the port. */
  startDaemon(): Promise<number>;
  close(): Promise<void>;
}

export const usually: SourceAnswer = (_request, _response, usual) => usual();
/** So that a sync takes long enough to be cut off. */
export const slowly: SourceAnswer = (_request, _response, usual) => void setTimeout(usual, 1_500);

const author = {
  GIT_AUTHOR_NAME: "Somebody",
  GIT_AUTHOR_EMAIL: "somebody@example.com",
  GIT_COMMITTER_NAME: "Somebody",
  GIT_COMMITTER_EMAIL: "somebody@example.com",
};

export async function startGitSource(): Promise<GitSource> {
  const root = await mkdtemp(join(tmpdir(), "forgeline-git-source-"));
  const { certFile, keyFile } = (await readBed()).certificates;
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  const running = new Set<ChildProcess>();
  const server = createServer({ cert, key }, (request, response) => {
    source.requests.push({ path: request.url ?? "", authorization: request.headers.authorization });
    source.answer(request, response, () => serve({ root, running }, request, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const source: GitSource = {
    url: `https://localhost:${port}`,
    port,
    root,
    answer: usually,
    requests: [],
    async create(name) {
      const directory = join(root, `${name}.git`);
      await run("git", ["init", "-q", "--bare", "-b", "main", directory]);
      return repositoryAt(directory, { url: `${source.url}/${name}.git`, path: `/${name}.git` });
    },
    startDaemon: () => startDaemon(root, running),
    async close() {
      for (const child of running) child.kill("SIGKILL");
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      await rm(root, { recursive: true, force: true });
    },
  };
  return source;
}

function repositoryAt(directory: string, place: { url: string; path: string }): SourceRepository {
  const env = { ...process.env, ...author, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  async function git(...args: string[]): Promise<string> {
    const { stdout } = await run("git", ["--git-dir", directory, ...args], { env, maxBuffer: 1 << 26 });
    return stdout.trimEnd();
  }
  async function piped(args: string[], input: string): Promise<string> {
    const child = execFile("git", ["--git-dir", directory, ...args], { env });
    child.stdin?.end(input);
    let text = "";
    child.stdout?.on("data", (chunk: string) => (text += chunk));
    await once(child, "close");
    return text.trimEnd();
  }
  return {
    directory,
    ...place,
    git,
    async commit(branch, files) {
      const lines: string[] = [];
      for (const [name, content] of Object.entries(files))
        lines.push(`100644 blob ${await piped(["hash-object", "-w", "--stdin"], content)}\t${name}`);
      const tree = await piped(["mktree"], `${lines.join("\n")}\n`);
      const parent = await git("rev-parse", "-q", "--verify", `refs/heads/${branch}`).catch(() => "");
      const parents = parent === "" ? [] : ["-p", parent];
      const commit = await git("commit-tree", tree, ...parents, "-m", `Change ${branch}`);
      await git("update-ref", `refs/heads/${branch}`, commit);
      return commit;
    },
    updateRefs: async (commands) => void (await piped(["update-ref", "--stdin"], commands)),
    refs: async () =>
      (await git("for-each-ref", "--format=%(objectname) %(refname)"))
        .split("\n")
        .filter((line) => line !== ""),
  };
}

/** As CGI: see git-http-backend(1). */
function serve(
  { root, running }: { root: string; running: Set<ChildProcess> },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? "/", "https://localhost");
  const protocol = request.headers["git-protocol"];
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      REMOTE_USER: "",
      ...(typeof protocol === "string" ? { GIT_PROTOCOL: protocol } : {}),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  running.add(child);
  child.on("close", () => running.delete(child));
  child.stdin.on("error", () => undefined);
  request.pipe(child.stdin);
  let head = "";
  child.stdout.on("data", (chunk: Buffer) => {
    if (response.headersSent) return void response.write(chunk);
    head += chunk.toString("latin1");
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    const fields = head.slice(0, end).split("\r\n");
    const status = fields.find((field) => field.startsWith("Status: "))?.slice("Status: ".length, 11);
    for (const field of fields) {
      const [name = "", value = ""] = field.split(": ");
      if (name !== "Status") response.setHeader(name, value);
    }
    response.writeHead(Number(status ?? 200));
    response.write(Buffer.from(head.slice(end + 4), "latin1"));
  });
  child.on("close", () => response.end());
}

async function startDaemon(root: string, running: Set<ChildProcess>): Promise<number> {
  const port = await freeLowPort();
  // Not `git daemon`, whose child would outlive it.
  const { stdout } = await run("git", ["--exec-path"]);
  const child = spawn(
    join(stdout.trim(), "git-daemon"),
    ["--reuseaddr", "--export-all", `--base-path=${root}`, "--listen=127.0.0.1", `--port=${port}`],
    { stdio: "ignore" },
  );
  running.add(child);
  await eventually(async () => {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  });
  return port;
}
