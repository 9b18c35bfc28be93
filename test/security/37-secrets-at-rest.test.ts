/**
 * Where secrets must not lie while a job runs and after it: records, histories, logs, container settings, arguments
 * of processes, files of the runner. Tokens of every kind, keys, passwords, and secrets of pipelines.
 */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import Dockerode from "dockerode";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { localRequest } from "@forgeline/launcher/https-client.ts";
import { eventually } from "../support/eventually.ts";
import { startTestInstance, type TestInstance } from "../support/instance.ts";
import { createProject, oneJob, type Project } from "../support/project.ts";

let instance: TestInstance;
let project: Project;
let database: pg.Client;
beforeAll(async () => {
  instance = await startTestInstance();
  project = await createProject(instance, "canaries");
  database = new pg.Client({ connectionString: instance.database.ownerUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await project.remove();
  await instance.stop();
});

/** The forms in which a value could lie somewhere. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString("base64").slice(0, -4),
    bytes.toString("hex"),
    secret.split("").reverse().join(""),
  ];
}

function search(where: string, text: string, secrets: Record<string, string>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    forms(secret).some((form) => text.includes(form)) ? [`${name} in ${where}`] : [],
  );
}

/** Every row of every table, as text; bytes as hex. */
async function dump(): Promise<[table: string, text: string][]> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const texts: [string, string][] = [];
  for (const { name } of tables.rows) {
    const { rows } = await database.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push([name, rows.map((row) => row.text).join("\n")]);
  }
  return texts;
}

async function files(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function argumentsOfProcesses(): Promise<string> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")),
  );
  return texts.join("\n");
}

const secrets: Record<string, string> = {};
let finished: Pipeline;

test("while a job runs: not in arguments, container settings, or the runner's files", async () => {
  const canaries = {
    "secret in a variable": "canary-in-a-variable-7d1f",
    "secret in a file": "canary-in-a-file-93ab",
    "secret of a service": "canary-of-a-service-5c20",
  };
  for (const [name, value] of [
    ["VARIABLE", canaries["secret in a variable"]],
    ["FILE", canaries["secret in a file"]],
    ["SERVICE", canaries["secret of a service"]],
  ] as const)
    await instance.api("PUT", `${project.path}/secrets/${name}`, { value });
  const steps = [
    'chmod 777 /workspace; printf %s "$CI_JOB_TOKEN" > /workspace/token; echo "token: $CI_JOB_TOKEN"; echo "variable: $VARIABLE, file: $(cat "$FILE")"',
    'printf %s "$CI_JOB_TOKEN" | base64 -w 0; echo; n=0; while [ ! -e /workspace/go ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n+1)); done',
  ];
  const service = {
    image: "forgeline/base:1",
    secrets: [{ name: "SERVICE", file: "SERVICE" }],
    command: ["sh", "-c", 'echo "service: $(cat "$SERVICE")"; sleep 100'],
  };
  const listed = ["VARIABLE", { name: "FILE", file: "FILE" }];
  const file = `${JSON.stringify({ ...JSON.parse(oneJob(...steps)), secrets: listed, services: { db: service } })}\n`;
  const { sha } = await project.push({ ".forgeline.yml": file });
  const home = instance.runners[0]?.directory ?? "";
  const tokenFile = await eventually(
    async () => (await files(join(home, "jobs"))).find((path) => path.endsWith("/workspace/token")),
    { timeoutMs: 40_000 },
  );
  const token = await eventually(async () => (await readFile(tokenFile, "utf8")) || undefined);
  expect(token).toMatch(/^svc_job_/);
  const runnerFile = JSON.parse(await readFile(join(home, "runner.json"), "utf8")) as {
    id: string;
    credential: string;
  };
  const key = await readFile(join(instance.directory, "data", "instance.key"));
  Object.assign(secrets, {
    ...canaries,
    "job token": token,
    "runner credential": runnerFile.credential,
    "administrator's token": instance.adminToken,
    "administrator's password": "correct horse battery staple",
    "instance key": key.toString("utf8").trim(),
    "database password": instance.bed.postgres.appPassword,
  });

  const docker = new Dockerode({ socketPath: instance.bed.dockerSocket });
  const containers = await docker.listContainers({
    all: true,
    filters: { label: [`forgeline.runner=${runnerFile.id}`] },
  });
  expect(containers.length).toBeGreaterThan(0);
  const inspected = await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).inspect()));
  const found = search("docker inspect", JSON.stringify(inspected), secrets);
  found.push(...search("arguments of processes", await argumentsOfProcesses(), secrets));
  for (const name of ["jobs", "spool"])
    expect(((await stat(join(home, name))).mode & 0o077).toString(8), name).toBe("0");
  for (const path of await files(home)) {
    // The job's own output and workspace are the job's; they go with it, and nothing of them leaves unmasked.
    const ofJob = path.includes("/mounted/") || /\/own\/.*\.out$/.test(path) || path.endsWith(".raw");
    if (path === join(home, "runner.json") || ofJob) continue;
    found.push(...search(path, await readFile(path, "latin1").catch(() => ""), secrets));
  }
  expect(found).toEqual([]);

  const works = () =>
    localRequest(`${instance.url}/api/v1${project.path}`, { caFile: instance.certificates.caFile, token });
  expect((await works()).status).toBe(200);
  await writeFile(join(tokenFile, "..", "go"), "");
  finished = await project.finished(sha);
  expect(finished.status, JSON.stringify(finished.stages)).toBe("success");
  expect((await works()).status).toBe(401);
  await eventually(async () => (await files(join(home, "spool"))).length === 0);
});

test("afterwards: not in the database, objects, logs of any process, or what the job printed", async () => {
  const found: string[] = [];
  for (const [table, text] of await dump()) found.push(...search(table, text, secrets));
  const kept: string[] = (await files(join(instance.directory, "objects")).catch((): string[] => [])).concat(
    (await readdir(instance.directory))
      .filter((name) => name.endsWith(".log"))
      .map((name) => join(instance.directory, name)),
  );
  expect(kept.some((path) => path.endsWith(".log"))).toBe(true);
  for (const path of kept) found.push(...search(path, await readFile(path, "latin1"), secrets));
  const log = (await project.log(finished)).toString();
  expect(log).toContain("token: ");
  expect(log).toContain("variable: ***, file: ***");
  expect(log).toContain("service: ***");
  found.push(...search("the job's log", log, secrets));
  expect(found).toEqual([]);
});

test("Temporal's history of the run names no secret", async () => {
  const connection = await Connection.connect({ address: instance.bed.temporalAddress });
  const handle = new Client({ connection }).workflow.getHandle(`pipeline:${finished.id}:1`);
  const history = await handle.fetchHistory();
  await connection.close();
  expect(history.events?.length).toBeGreaterThan(5);
  const plain = JSON.stringify(history, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
  );
  expect(plain).toContain(finished.id);
  expect(search("the history", plain, secrets)).toEqual([]);
});

test("no column of the database works as a credential, at any entry point", async () => {
  const values = new Set<string>();
  for (const [, text] of await dump())
    for (const word of text.match(/svc_[a-z]+_[\w-]+|\\x[0-9a-f]{40,}|[A-Za-z0-9_+/=-]{40,128}/g) ?? [])
      values.add(word);
  expect(values.size).toBeGreaterThan(3);
  const prefixes = ["", "svc_pat_", "svc_job_"];
  const asCredentials = [...values].slice(0, 300).flatMap((value) => {
    const bytes =
      value.startsWith("\\\\x") || value.startsWith("\\x")
        ? Buffer.from(value.replace(/^\\+x/, ""), "hex")
        : null;
    const words = bytes
      ? [bytes.toString("hex"), bytes.toString("base64url"), bytes.toString("base64")]
      : [value];
    return words.flatMap((word) => prefixes.map((prefix) => prefix + word));
  });
  const statuses = new Map<number, number>();
  for (let i = 0; i < asCredentials.length; i += 20) {
    const answers = await Promise.all(
      asCredentials
        .slice(i, i + 20)
        .map((token) =>
          localRequest(`${instance.url}/api/v1/user`, { caFile: instance.certificates.caFile, token }),
        ),
    );
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()]).toEqual([401]);
});

test("the runner's key is readable by its owner only", async () => {
  const { mode } = await stat(join(instance.runners[0]?.directory ?? "", "runner.json"));
  expect((mode & 0o777).toString(8)).toBe("600");
});
