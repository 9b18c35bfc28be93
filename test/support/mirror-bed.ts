/** A server with a worker, and a source that its mirrors follow. */
import type { Mirror, MirrorSync } from "@forgeline/schemas/mirrors/resource.ts";
import { startApiServer, type ApiAnswer, type ApiServer, type TestPerson } from "./api-server.ts";
import { readBed } from "./bed.ts";
import { eventually } from "./eventually.ts";
import { startWorker } from "./failing-work.ts";
import { createGitClient, type GitClient } from "../integration/git/git-client.ts";
import { startGitSource, type GitSource, type SourceRepository } from "./git-source.ts";

export interface Mirrored {
  id: string;
  /** `/repos/ada/NAME` */
  at: string;
  name: string;
  /** Of the bare repository here. */
  directory: string;
  get(): Promise<Mirror>;
  /** Asks for a sync, and waits for its end. */
  sync(): Promise<MirrorSync>;
  /** The newest sync, once it has ended. */
  ended(): Promise<MirrorSync>;
  /** Every ref that people see, with its value, by name. */
  refs(): Promise<string[]>;
}

export interface MirrorBed {
  server: ApiServer;
  source: GitSource;
  ada: TestPerson;
  send(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** An empty repository. */
  repository(body?: object): Promise<Mirrored>;
  /** One that mirrors this source, a new one unless one is given; its first sync has ended. */
  mirror(source: Pick<SourceRepository, "url">, body?: object, into?: Mirrored): Promise<Mirrored>;
  /** Git's own client, as ada. */
  git: GitClient;
  /** `https://x:TOKEN@HOST/ada/NAME.git` */
  address(mirrored: Mirrored): string;
  database: ApiServer["container"]["platform"]["db"];
  close(): Promise<void>;
}

let made = 0;

export async function startMirrorBed(options: {
  name: string;
  env?: Record<string, string>;
}): Promise<MirrorBed> {
  const source = await startGitSource();
  const { caFile } = (await readBed()).certificates;
  const server = await startApiServer({
    env: {
      FORGELINE_TASK_QUEUE: `test-${options.name}-${process.pid}`,
      FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
      FORGELINE_OUTBOUND_CA_FILE: caFile,
      ...options.env,
    },
  });
  const stopWorker = await startWorker(server);
  await server.container.automation.followerWorkflows.keep();
  const ada = await server.person("ada", { isAdmin: true });
  const git = await createGitClient(server.caFile);
  const send = (method: string, path: string, body?: unknown) =>
    server.api(method, path, { token: ada.token, ...(body === undefined ? {} : { body }) });

  async function repository(body: object = {}): Promise<Mirrored> {
    const name = `m${made++}`;
    const answer = await send("POST", "/repos", { name, ...body });
    if (answer.status !== 201) throw new Error(answer.text);
    const at = `/repos/ada/${name}`;
    const directory = server.container.platform.storage.directory(answer.json.id);
    const newest = async () => ((await send("GET", `${at}/mirror/history`)).json as MirrorSync[])[0];
    const ended = () =>
      eventually(
        async () => {
          const sync = await newest();
          return sync && sync.status !== "running" && sync;
        },
        { timeoutMs: 60_000 },
      );
    return {
      id: answer.json.id,
      at,
      name,
      directory,
      get: async () => (await send("GET", `${at}/mirror`)).json,
      ended,
      async sync() {
        const before = (await newest())?.id;
        const asked = await send("POST", `${at}/mirror/sync`);
        if (asked.status !== 202) throw new Error(asked.text);
        await eventually(async () => (await newest())?.id !== before, { timeoutMs: 60_000 });
        return ended();
      },
      refs: async () => {
        const { stdout } = await server.container.platform.git.run({
          directory,
          args: ["for-each-ref", "--format=%(objectname) %(refname)"],
        });
        return stdout
          .toString("utf8")
          .split("\n")
          .filter((line) => line !== "" && !line.includes(" refs/internal/"));
      },
    };
  }

  return {
    server,
    source,
    ada,
    git,
    database: server.container.platform.db,
    address: ({ name }) => `${server.webUrl.replace("https://", `https://x:${ada.token}@`)}/ada/${name}.git`,
    send,
    repository,
    async mirror({ url }, body = {}, into) {
      const mirrored = into ?? (await repository());
      const answer = await send("PUT", `${mirrored.at}/mirror`, { url, ...body });
      if (answer.status !== 200) throw new Error(answer.text);
      await eventually(async () => (await mirrored.get()).last_sync !== null, { timeoutMs: 60_000 });
      await mirrored.ended();
      return mirrored;
    },
    async close() {
      await git.remove();
      await stopWorker();
      await server.stop();
      await source.close();
    },
  };
}
