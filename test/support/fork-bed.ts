/** A server with a worker, ada's repositories, and bob's forks of them. */
import { expect } from "vitest";
import type { ForkStanding } from "@forgeline/schemas/fork-syncs/resource.ts";
import { startApiServer, type ApiAnswer, type ApiServer, type TestPerson } from "./api-server.ts";
import { startWorker } from "./failing-work.ts";

export interface Pair {
  /** `/repos/ada/NAME` */
  upstream: string;
  /** `/repos/bob/NAME` */
  fork: string;
  /** Of the fork. */
  id: string;
  upstreamId: string;
  name: string;
}

export interface ForkBed {
  server: ApiServer;
  ada: TestPerson;
  bob: TestPerson;
  send(person: TestPerson, method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** A public repository of ada's with `main` and `topic`, and bob's fork of it. */
  pair(): Promise<Pair>;
  /** A file on a branch; the commit's id. */
  commit(
    person: TestPerson,
    at: string,
    change: { branch?: string; file: string; text: string },
  ): Promise<string>;
  tipOf(at: string, branch?: string): Promise<string>;
  /** As bob sees it. */
  standing(at: string): Promise<ForkStanding>;
  /** By bob, unless somebody else is named. */
  sync(at: string, body?: object, person?: TestPerson): Promise<ApiAnswer>;
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
  close(): Promise<void>;
}

let made = 0;

export async function startForkBed(name: string): Promise<ForkBed> {
  const server = await startApiServer({ env: { FORGELINE_TASK_QUEUE: `test-${name}-${process.pid}` } });
  let stop = await startWorker(server);
  const ada = await server.person("ada", { isAdmin: true });
  const bob = await server.person("bob");
  const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
    server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });

  return {
    server,
    ada,
    bob,
    send,
    async pair() {
      const repository = `f${made++}`;
      const upstream = `/repos/ada/${repository}`;
      const created = await send(ada, "POST", "/repos", {
        name: repository,
        visibility: "public",
        readme: true,
      });
      await send(ada, "POST", `${upstream}/branches`, { name: "topic", ref: "main" });
      const forked = await send(bob, "POST", `${upstream}/forks`, {});
      expect(forked.status).toBe(201);
      return {
        upstream,
        fork: `/repos/bob/${repository}`,
        id: forked.json.id,
        upstreamId: created.json.id,
        name: repository,
      };
    },
    async commit(person, at, { branch = "main", file, text }) {
      const before = await send(person, "GET", `${at}/contents/${file}?ref=${branch}`);
      const sha = before.status === 200 ? { sha: before.json.sha } : {};
      const content = Buffer.from(text).toString("base64");
      const body = { message: file, content, branch, ...sha };
      const answer = await send(person, "PUT", `${at}/contents/${file}`, body);
      expect(answer.status).toBe(200);
      return answer.json.commit.sha;
    },
    tipOf: async (at, branch = "main") =>
      (await send(ada, "GET", `${at}/branches/${branch}`)).json.commit.sha,
    standing: async (at) => (await send(bob, "GET", `${at}/sync`)).json,
    sync: (at, body = {}, person = bob) => send(person, "POST", `${at}/sync`, body),
    stopWorker: () => stop(),
    async startWorker() {
      stop = await startWorker(server);
    },
    async close() {
      await stop();
      await server.stop();
    },
  };
}
