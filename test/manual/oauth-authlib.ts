/**
 * A second client that is not ours, `authlib` from PyPI, goes the whole way of OAuth: `node test/manual/oauth-authlib.ts`, with a
 * standing bed up. Not part of `npm test`, which must not depend on PyPI. Makes a virtual environment and removes it.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startApiServer, type ApiServer } from "../support/api-server.ts";
import { decide, redirectTarget, registerApp, signedIn, type SignedIn } from "../support/oauth.ts";

const script = fileURLToPath(new URL("oauth_authlib.py", import.meta.url));
const redirectUri = "https://client.example/callback";

async function goThrough(
  server: ApiServer,
  person: SignedIn,
  how: { python: string; method: string; maker: string },
) {
  const confidential = how.method !== "none";
  const app = await registerApp(server, how.maker, { confidential, redirect_uris: [redirectUri] });
  const child = spawn(how.python, [script], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      BASE: server.webUrl,
      CA: server.caFile,
      CLIENT_ID: app.client_id,
      CLIENT_SECRET: app.client_secret ?? "",
      REDIRECT_URI: redirectUri,
      AUTH_METHOD: how.method,
    },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const asked = await lines.next();
  const query = Object.fromEntries(new URL(String(asked.value)).searchParams);
  child.stdin.end(`${redirectTarget(await decide(server, person, query)).href}\n`);
  const result = JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
  assert.deepEqual(result, {
    user: person.username,
    scope: "repo:read,user:read",
    revoked: 200,
    after: 401,
    error: "invalid_grant",
  });
  process.stdout.write(`authlib, ${how.method}: consent, code, use, refresh, revocation\n`);
}

const directory = await mkdtemp(join(tmpdir(), "forgeline-authlib-"));
const server = await startApiServer();
try {
  execFileSync("python3", ["-m", "venv", directory]);
  execFileSync(join(directory, "bin/pip"), ["install", "--quiet", "authlib", "requests"]);
  const python = join(directory, "bin/python");
  const maker = (await server.person("maker")).token;
  const person = await signedIn(server, "ada");
  for (const method of ["client_secret_basic", "client_secret_post", "none"])
    await goThrough(server, person, { python, method, maker });
} finally {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
