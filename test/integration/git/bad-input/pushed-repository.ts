/** A repository with one commit on `main`, and how to look whether bad input left anything in it. */
import { readdir } from "node:fs/promises";
import { expect } from "vitest";
import type { ApiServer, TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { sendGit } from "../../../support/git-packets.ts";
import { addressWithToken, type GitClient } from "../git-client.ts";

export interface PushedRepository {
  id: string;
  /** `ada/NAME` */
  name: string;
  url: string;
  directory: string;
  /** A working tree whose `main` is what was pushed. */
  tree: string;
  head: string;
  refs(): Promise<string>;
  /** What the server answers to this body of a push. */
  push(body: Buffer, headers?: Record<string, string>): Promise<{ status: number; text: string }>;
  /** Refs and records are as they were last seen, nothing lies in quarantine, and the next push works. */
  isUntouched(): Promise<void>;
  /** From now on this is how they are. */
  look(): Promise<void>;
}

interface Bed {
  server: ApiServer;
  git: GitClient;
  ada: TestPerson;
}

let made = 0;

export async function pushedRepository({ server, git, ada }: Bed): Promise<PushedRepository> {
  const name = `bad-${made++}`;
  const { json } = await server.api("POST", "/repos", { token: ada.token, body: { name } });
  const url = addressWithToken(server.webUrl, `ada/${name}`, ada.token);
  const tree = await git.workTree();
  await git.ok(["push", "-q", url, "main"], { cwd: tree });
  const directory = server.container.platform.storage.directory(json.id);
  const refs = () => git.ok(["ls-remote", url]);
  let before = await refs();
  const records = async () =>
    (
      await server.container.platform.db.query<{ state: string }>(
        "select state from pushes where repository_id = $1",
        [json.id],
      )
    ).map(({ state }) => state);
  let pushes = 1;
  let next = 1;
  const repository: PushedRepository = {
    id: json.id,
    name: `ada/${name}`,
    url,
    directory,
    tree,
    head: await git.ok(["rev-parse", "HEAD"], { cwd: tree }),
    refs,
    push: (body, headers = {}) =>
      sendGit(server, { name: `ada/${name}`, service: "receive-pack", body, token: ada.token, headers }),
    async isUntouched() {
      expect(await refs()).toBe(before);
      await eventually(async () =>
        (await readdir(`${directory}/objects`)).every((each) => !each.includes("tmp_")),
      );
      expect((await records()).filter((state) => state !== "refused")).toEqual(
        Array(pushes).fill("recorded"),
      );
      await git.ok(["push", "-q", url, `HEAD:refs/heads/next-${next++}`], { cwd: tree });
      await repository.look();
    },
    async look() {
      before = await refs();
      pushes = (await records()).filter((state) => state === "recorded").length;
    },
  };
  return repository;
}
