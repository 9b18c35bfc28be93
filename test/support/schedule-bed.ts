/** A server whose schedules are followed in the test's own process, and repositories with a pipeline file. */
import { expect } from "vitest";
import type { PipelineSummary } from "@forgeline/schemas/pipelines/resource.ts";
import type { Schedule, ScheduleRun } from "@forgeline/schemas/schedules/resource.ts";
import { startApiServer, type ApiAnswer, type ApiServer, type TestPerson } from "./api-server.ts";
import { eventually } from "./eventually.ts";

export const tinyFile = "image: busybox\nsteps: ['true']\n";

export interface ScheduledRepository {
  id: string;
  name: string;
  /** `/repos/ada/NAME` */
  at: string;
}

export interface ScheduleBed {
  server: ApiServer;
  ada: TestPerson;
  database: ApiServer["container"]["platform"]["db"];
  send(method: string, path: string, body?: unknown, person?: TestPerson): Promise<ApiAnswer>;
  /** With this `.forgeline.yml` on `main`. */
  repository(file?: string): Promise<ScheduledRepository>;
  /** A file on a branch; null removes it. */
  write(
    at: string,
    file: string,
    text: string | null,
    how?: { branch?: string; person?: TestPerson },
  ): Promise<void>;
  /** Made by hand, by ada. */
  schedule(at: string, body?: object): Promise<Schedule>;
  get(at: string, id: string): Promise<Schedule>;
  list(at: string): Promise<Schedule[]>;
  /** Once the files of the default branch have been read. */
  listed(at: string, names: readonly string[]): Promise<Schedule[]>;
  history(at: string, id: string): Promise<ScheduleRun[]>;
  /** What the audit log has about schedules of the repository, newest first. */
  audit(name: string): Promise<{ action: string; actor: { username: string }; details: object }[]>;
  /** Its time came so long ago. */
  makeDue(id: string, minutesAgo?: number): Promise<void>;
  /** What was made of its newest time, once there is something after what there was. */
  came(at: string, id: string, before?: number): Promise<ScheduleRun>;
  runs(at: string): Promise<PipelineSummary[]>;
  close(): Promise<void>;
}

let made = 0;

export async function startScheduleBed(env: Record<string, string> = {}): Promise<ScheduleBed> {
  const server = await startApiServer({ env });
  const { db: database } = server.container.platform;
  const ada = await server.person("ada", { isAdmin: true });
  const stopping = new AbortController();
  const following = server.container.automation.followerRunner.run("schedules", stopping.signal);
  const send = (method: string, path: string, body?: unknown, person = ada) =>
    server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
  const list = async (at: string) => (await send("GET", `${at}/schedules?per_page=100`)).json as Schedule[];
  const history = async (at: string, id: string) =>
    (await send("GET", `${at}/schedules/${id}/runs`)).json as ScheduleRun[];

  const bed: ScheduleBed = {
    server,
    ada,
    database,
    send,
    list,
    history,
    async repository(file = tinyFile) {
      const name = `s${made++}`;
      const created = await send("POST", "/repos", { name, readme: true });
      expect(created.status).toBe(201);
      const at = `/repos/ada/${name}`;
      await bed.write(at, ".forgeline.yml", file);
      return { id: created.json.id, name, at };
    },
    async write(at, file, text, { branch = "main", person = ada } = {}) {
      const path = `${at}/contents/${encodeURIComponent(file)}`;
      const before = await send("GET", `${path}?ref=${branch}`, undefined, person);
      const sha = before.status === 200 ? { sha: before.json.sha } : {};
      const body = { message: file, branch, ...sha };
      const answer =
        text === null
          ? await send("DELETE", path, body, person)
          : await send("PUT", path, { ...body, content: Buffer.from(text).toString("base64") }, person);
      expect(answer.status, answer.text).toBe(text === null ? 204 : 200);
    },
    async schedule(at, body = {}) {
      const name = `by hand ${made++}`;
      const answer = await send("POST", `${at}/schedules`, { name, cron: "0 3 * * *", ...body });
      expect(answer.status, answer.text).toBe(201);
      return answer.json;
    },
    get: async (at, id) => (await send("GET", `${at}/schedules/${id}`)).json,
    listed: (at, names) =>
      eventually(
        async () => {
          const found = await list(at);
          return found.map(({ name }) => name).join() === names.join() && found;
        },
        { timeoutMs: 20_000 },
      ),
    async audit(name) {
      const found = await send("GET", "/admin/audit-log?per_page=100");
      return (
        found.json as {
          action: string;
          actor: { username: string };
          target: { name: string };
          details: object;
        }[]
      ).filter(({ action, target }) => action.startsWith("schedule.") && target.name === `ada/${name}`);
    },
    async makeDue(id, minutesAgo = 0) {
      await database.transaction(async (tx) => {
        await tx.query(
          "update pipeline_schedules set next_at = date_trunc('milliseconds', now()) - $2 * interval '1 minute' where id = $1",
          [id, minutesAgo],
        );
        await tx.notify("schedule", "");
      });
    },
    came: (at, id, before = 0) =>
      eventually(
        async () => {
          const all = await history(at, id);
          return all.length > before && all[0];
        },
        { timeoutMs: 20_000 },
      ),
    runs: async (at) => (await send("GET", `${at}/pipelines`)).json,
    async close() {
      stopping.abort();
      await following;
      await server.stop();
    },
  };
  return bed;
}
