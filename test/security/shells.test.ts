/** Shells in jobs are for whoever may have one, for as long as they may, and through nothing but the ticket and the runner's credential. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { eventually } from "../support/eventually.ts";
import { planJob } from "../support/runs.ts";
import { connectShell } from "../support/shell-client.ts";
import { serveShell, shellPlace, type ShellPlace } from "../support/shell-place.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
let place: ShellPlace;

beforeAll(async () => {
  server = await startApiServer({
    periods: { viewerCheckMs: 100 },
    env: { FORGELINE_SHELLS_JOB: "2" },
  });
  [ada, ben] = await Promise.all([server.person("ada"), server.person("ben")]);
  place = await shellPlace(server, ada, { name: "shop" });
  const path = "/repos/ada/shop/collaborators/ben";
  await server.api("PUT", path, { token: ada.token, body: { permission: "write" } });
});
afterAll(() => server?.stop());

const collaborate = (permission: string) =>
  server.api("PUT", "/repos/ada/shop/collaborators/ben", { token: ada.token, body: { permission } });
const ended = (shellId: string) =>
  eventually(async () => {
    const rows = await server.container.platform.db.query<{ end_reason: string }>(
      "select end_reason from shells where id = $1 and state = 'ended'",
      [shellId],
    );
    return rows[0]?.end_reason;
  });

test("Write is not enough, and losing Maintain closes an open shell", async () => {
  expect((await place.ask(ben.token)).status).toBe(403);
  const reader = await server.tokenFor(ada, ["pipeline:read"]);
  expect((await place.ask(reader)).status).toBe(403);
  await collaborate("maintain");
  const { shell, viewer } = await place.open(ben);
  const runner = await place.serve(shell.id);
  runner.send({ t: "ready" });
  await eventually(() => viewer.isReady());
  viewer.type("whoami\r");
  await eventually(() => runner.typed() === "whoami\r");
  await collaborate("write");
  await viewer.closed;
  expect(viewer.ended()).toMatchObject({ reason: "permission" });
  await runner.closed;
});

test("a revoked token closes the shell that it opened", async () => {
  const eve = { ...ada, token: await server.tokenFor(ada, ["pipeline:write", "repo:read"]) };
  const { viewer } = await place.open(eve);
  await server.container.platform.db.query(
    "update access_tokens set revoked_at = now() where user_id = $1 and id = (select id from access_tokens where user_id = $1 order by created_at desc limit 1)",
    [ada.id],
  );
  await viewer.closed;
  expect(viewer.ended()).toMatchObject({ reason: "permission" });
});

test("a ticket opens its shell once, from our pages or with a token only", async () => {
  const shell = (await place.ask(ada.token)).json as { id: string; socket_url: string; protocols: string[] };
  const tried = (given: typeof shell, more: object) =>
    new Promise<string>((resolve) => {
      const { opened, socket } = connectShell(given, { ca: server.ca, ...more });
      opened.then(
        () => {
          socket.terminate();
          resolve("opened");
        },
        (error: Error) => resolve(error.message),
      );
    });
  const invented = { ...shell, protocols: [shell.protocols[0] ?? "", `ticket.${"a".repeat(43)}`] };
  expect(await tried(invented, { token: ada.token })).toContain("401");
  expect(await tried({ ...shell, protocols: shell.protocols.slice(0, 1) }, { token: ada.token })).toContain(
    "401",
  );
  expect(await tried(shell, { origin: "https://elsewhere.example" })).toContain("403");
  expect(await tried(shell, {})).toContain("401");
  const other = await shellPlace(server, ada, { name: "other" });
  const moved = { ...shell, socket_url: shell.socket_url.replace(place.run.id, other.run.id) };
  expect(await tried(moved, { token: ada.token })).toContain("401");
  expect(await tried(shell, { origin: server.webUrl })).toBe("opened");
  expect(await tried(shell, { origin: server.webUrl })).toContain("401");
  expect(await ended(shell.id)).toBe("closed");
});

test("only the runner of the job gets the other end, and once", async () => {
  const other = await shellPlace(server, ada, { name: "foreign" });
  const { shell, viewer } = await place.open(ada);
  await expect(serveShell(server, other.credential, shell.id)).rejects.toThrow("404");
  await expect(serveShell(server, "svc_runner_x", shell.id)).rejects.toThrow("401");
  const runner = await place.serve(shell.id);
  await expect(place.serve(shell.id)).rejects.toThrow("404");
  runner.socket.terminate();
  await viewer.closed;
  expect(viewer.ended()).toMatchObject({ reason: "runner_gone" });
});

test("frames that are too large, unknown or too many end the connection", async () => {
  for (const [send, code] of [
    [Buffer.alloc(70_000), 1009],
    ['{"t":"resize","columns":100000,"rows":1}', 4400],
    ['{"t":"ready"}', 4400],
  ] as const) {
    const { shell, viewer } = await place.open(ada);
    viewer.socket.send(send);
    expect((await viewer.closed).code).toBe(code);
    expect(await ended(shell.id)).toBe("closed");
  }
  const { shell, viewer } = await place.open(ada);
  for (let i = 0; i < 1_100; i += 1) viewer.type("x");
  expect((await viewer.closed).code).toBe(4429);
  expect(await ended(shell.id)).toBe("closed");
  const next = await place.open(ada);
  const runner = await place.serve(next.shell.id);
  runner.socket.send("not a message");
  expect((await runner.closed).code).toBe(4400);
  expect(await ended(next.shell.id)).toBe("runner_gone");
});

test("one that is left open is closed, and two in a job are enough", async () => {
  const impatient = await startApiServer({
    beside: server,
    periods: { viewerCheckMs: 100 },
    env: { FORGELINE_SHELL_IDLE_SECONDS: "4", FORGELINE_SHELL_MAX_SECONDS: "6" },
  });
  const [idle, busy] = [await place.open(ada, impatient), await place.open(ada, impatient)];
  const third = await place.ask(ada.token);
  expect([third.status, third.text]).toEqual([409, expect.stringContaining("2 shells are open in this job")]);
  const runner = await place.serve(busy.shell.id);
  runner.send({ t: "ready" });
  const typing = setInterval(() => {
    if (busy.viewer.socket.readyState === busy.viewer.socket.OPEN) busy.viewer.type("x");
  }, 500);
  await Promise.all([idle.viewer.closed, busy.viewer.closed]);
  clearInterval(typing);
  expect(idle.viewer.ended()).toMatchObject({ reason: "idle", message: "Nothing was typed for too long." });
  expect(busy.viewer.ended()).toMatchObject({ reason: "time_limit" });
  const audit = await server.container.platform.db.query<{ details: object }>(
    "select details from audit_log where action = 'pipeline.shell_close'",
  );
  for (const [{ shell }, reason] of [
    [idle, "idle"],
    [busy, "time_limit"],
  ] as const)
    expect(audit).toContainEqual(
      expect.objectContaining({ details: expect.objectContaining({ shell: shell.id, reason }) }),
    );
  await impatient.stop();
});

test("jobs with secrets are closed, unless their environment allows it; foreign commits always", async () => {
  const secrets = [{ name: "KEY", env: "KEY", file: null, optional: false }];
  const closed = await shellPlace(server, ada, { name: "secret", job: { secrets } });
  expect((await closed.ask(ada.token)).text).toContain("uses secrets or identity tokens");
  expect((await closed.keepOpen(ada.token)).status).toBe(409);
  const environment = { name: "staging", url: null };
  const deploys = await shellPlace(server, ada, { name: "deploys", job: { secrets, environment } });
  expect((await deploys.ask(ada.token)).text).toContain("the environment staging does not allow shells");
  const put = await server.api("PUT", "/repos/ada/deploys/environments/staging", {
    token: ada.token,
    body: { allow_shell: true },
  });
  expect(put.json).toMatchObject({ allow_shell: true });
  expect((await deploys.ask(ada.token)).status).toBe(201);
  const shared = { workspace: "stage" } as const;
  const others = [planJob({ key: "publish", ...shared, secrets })];
  const beside = await shellPlace(server, ada, { name: "beside", job: shared, others });
  expect((await beside.ask(ada.token)).text).toContain("shares its workspace with publish");
  expect((await beside.keepOpen(ada.token)).status).toBe(409);
  const apart = await shellPlace(server, ada, { name: "apart", others });
  expect((await apart.ask(ada.token)).status).toBe(201);
  expect((await apart.keepOpen(ada.token)).json).toMatchObject([
    { key: "build", keep_open: true },
    { key: "publish", keep_open: false, refused: expect.stringContaining("uses secrets") },
  ]);
  await server.container.platform.db.query("update pipelines set trust = 'fork' where id = $1", [
    deploys.run.id,
  ]);
  expect((await deploys.ask(ada.token)).text).toContain("not opened in runs of forks");
});

test("a server that shuts down says so, and what was shown is in the log", async () => {
  const second = await startApiServer({ beside: server });
  const { shell, viewer } = await place.open(ada);
  const runner = await place.serve(shell.id, second);
  runner.send({ t: "ready" });
  runner.show("hello\r\n");
  await viewer.shows("hello");
  await second.stop();
  await viewer.closed;
  expect(viewer.ended()).toMatchObject({ reason: "server_restart" });
  const log = await server.api("GET", `${place.path}/logs?job=build&step=${shell.log}&format=text`, {
    token: ada.token,
  });
  expect(log.text).toBe("hello\r\n");
});
