/** A running job of a repository on a test server, and a runner that opens what is asked for: what tests say is what its shell does. */
import { createHash, randomBytes } from "node:crypto";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Shell } from "@forgeline/schemas/shells/resource.ts";
import { shellFrameKinds } from "@forgeline/schemas/shells/socket.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { WebSocket } from "ws";
import type { ApiAnswer, ApiServer, TestPerson } from "./api-server.ts";
import { planJob, planOf } from "./runs.ts";
import { connectShell, type TestShell } from "./shell-client.ts";
import { runInRows, type RowRun } from "./web/run-in-rows.ts";

export interface ShellPlace {
  run: RowRun;
  jobId: string;
  runnerId: string;
  /** Of its runner. */
  credential: string;
  /** Below `{base_url}`. */
  path: string;
  ask(token: string, on?: ApiServer): Promise<ApiAnswer>;
  keepOpen(token: string): Promise<ApiAnswer>;
  /** Asks, and connects as the command line does. */
  open(person: TestPerson, on?: ApiServer): Promise<{ shell: Shell; viewer: TestShell }>;
  /** The runner's socket of a shell that is asked for. */
  serve(shellId: string, on?: ApiServer): Promise<TestRunnerEnd>;
}

export interface TestRunnerEnd {
  socket: WebSocket;
  /** What was typed. */
  typed(): string;
  texts: string[];
  /** On the screen and into the log. */
  show(text: string): void;
  send(message: object): void;
  closed: Promise<{ code: number; reason: string }>;
}

/** Of a new repository `name`. */
export async function shellPlace(
  server: ApiServer,
  owner: TestPerson,
  { name, job = {}, others = [] }: { name: string; job?: Partial<PlanJob>; others?: PlanJob[] },
): Promise<ShellPlace> {
  const { db } = server.container.platform;
  const planned = planJob({ key: "build", ...job });
  const run = await runInRows(server, owner, { name, plan: planOf([planned, ...others]) });
  await run.begin("build", ["make"]);
  await run.setJob("build", "running");
  await run.setRun("running");
  const credential = `svc_runner_${randomBytes(32).toString("base64url")}`;
  const runnerId = newId("rnr");
  await db.query(
    "insert into runners (id, name, credential_hash, capacity, labels, match_labels) values ($1, $2, $3, 1, '{}', '{}')",
    [runnerId, `runner-of-${name}`, createHash("sha256").update(credential).digest()],
  );
  const attempts = await db.query<{ job_id: string }>(
    "update job_attempts set runner_id = $2, job = $3, epoch = 1, unreachable = false, lease_renewed_at = now() + interval '1 hour' where pipeline_id = $1 returning job_id",
    [run.id, runnerId, JSON.stringify(planned)],
  );
  const jobId = attempts[0]?.job_id ?? "";
  const path = `/repos/${owner.username}/${name}/pipelines/1`;
  const ask = (token: string, on = server) =>
    on.api("POST", `${path}/jobs/${jobId}/shells`, { token, body: {} });
  return {
    run,
    jobId,
    runnerId,
    credential,
    path,
    ask,
    keepOpen: (token) => server.api("PUT", `${path}/keep-open`, { token, body: {} }),
    async open(person, on = server) {
      const answer = await ask(person.token, on);
      if (answer.status !== 201) throw new Error(answer.text);
      const shell = answer.json as Shell;
      const viewer = connectShell(shell, { ca: server.ca, token: person.token });
      await viewer.opened;
      return { shell, viewer };
    },
    serve: (shellId, on = server) => serveShell(on, credential, shellId),
  };
}

/** Rejects with the status where the server does not let it in. */
export async function serveShell(
  server: ApiServer,
  credential: string,
  shellId: string,
): Promise<TestRunnerEnd> {
  const socket = new WebSocket(`${server.baseUrl.replace("https:", "wss:")}/runners/shells/${shellId}`, {
    ca: server.ca,
    headers: { authorization: `Bearer ${credential}` },
    perMessageDeflate: false,
  });
  let typed = "";
  const texts: string[] = [];
  socket.on("message", (bytes: Buffer, isBinary) => {
    if (isBinary) typed += bytes.toString("utf8");
    else texts.push(bytes.toString("utf8"));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  return {
    socket,
    typed: () => typed,
    texts,
    show(text) {
      // What a viewer has seen is then on its way to the log as well.
      for (const kind of [shellFrameKinds.log, shellFrameKinds.screen])
        socket.send(Buffer.concat([Buffer.of(kind), Buffer.from(text)]));
    },
    send: (message) => socket.send(JSON.stringify(message)),
    closed,
  };
}
