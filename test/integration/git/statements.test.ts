/** How many SQL statements a request of Git or Git LFS takes: clients send them by the hundred, so no more come in unnoticed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { markHeader, watchStatements, type StatementWatch } from "../../support/count-statements.ts";
import { lfsObject, startLfsServer, type LfsServer } from "../../support/lfs-server.ts";

let server: LfsServer;
let watch: StatementWatch;
let token: string;
beforeAll(async () => {
  server = await startLfsServer("file");
  token = (await server.person("ada")).token;
  await server.api("POST", "/repos", { token, body: { name: "code", readme: true } });
  watch = watchStatements();
});
afterAll(async () => {
  watch?.stop();
  await server?.stop();
});

const lfs = "application/vnd.git-lfs+json";
const batch = { operation: "download", transfers: ["basic"], objects: [lfsObject("hello")] };

/** `max` is what was measured: whether the caller may, which gives the repository's row, and what the request itself reads. */
const requests: { path: string; type?: string; body?: string | object; max: number }[] = [
  { path: "info/refs?service=git-upload-pack", max: 1 },
  {
    path: "git-upload-pack",
    type: "application/x-git-upload-pack-request",
    body: "0014command=ls-refs\n0000",
    max: 1,
  },
  { path: "info/refs?service=git-receive-pack", max: 1 },
  { path: "git-receive-pack", type: "application/x-git-receive-pack-request", body: "0000", max: 2 },
  { path: "info/lfs/objects/batch", type: lfs, body: batch, max: 2 },
];

test.each(requests)("$path takes $max SQL statements", async ({ path, type, body, max }) => {
  const ask = (mark: string) =>
    server.api(body ? "POST" : "GET", `//ada/code.git/${path}`, {
      token,
      headers: { "Git-Protocol": "version=2", ...(type && { "Content-Type": type }), [markHeader]: mark },
      ...(body && { body }),
    });
  // After it whoever asks is remembered.
  await ask("first");
  expect((await ask(path)).status).toBe(200);
  expect(watch.of(path).length).toBeGreaterThan(0);
  expect(watch.of(path).length).toBeLessThanOrEqual(max);
});
