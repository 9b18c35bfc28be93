/**
 * R22: a database that is older, then one that is newer than the repositories and objects. After the repair every ref is
 * where the last record says, every row has its directory, nothing is left over, and each difference was told; nobody had
 * to do anything.
 */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createContainer } from "@forgeline/server/container.ts";
import { allRefs } from "@forgeline/server/platform/git/refs/refs.ts";
import type { Finding } from "@forgeline/server/domains/upkeep/repair/finding.ts";
import type { AppError } from "@forgeline/server/platform/app-error.ts";
import { Secret } from "@forgeline/server/platform/secret.ts";
import { lastRecorded } from "@forgeline/server/domains/hosting/pushes/pushes.store.ts";
import { encodeLogFrame } from "@forgeline/schemas/logs/frame.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { lfsObject, lfsUpload } from "../../support/lfs-server.ts";
import { readBed } from "../../support/bed.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { addressWithToken, createGitClient, type GitClient } from "../git/git-client.ts";
import { ofTexts, type TextContainer } from "../../support/text-database.ts";

const random = seededRandom(22);
const pick = (count: number) => Math.floor(random() * count);

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
/** Copies of one moment, in the middle of the work. */
const old = { database: "", dataDir: "" };
let newDataDir: string;
const names = ["r0", "r1", "r2"];
const [kept, later] = [lfsObject("large\n"), lfsObject("large, and later\n")];
const trees = new Map<string, string>();

beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
  for (const name of names) await createRepository(name, name === "r2");
  await work(8);
  await logSegment("kept", 1);
  await sendLarge("r0", kept);
  await server.container.operation.auditMaintenance.link();
  await server.container.operation.auditMaintenance.keepCheckpoints();
  const home = await mkdtemp(join(tmpdir(), "forgeline-drill-"));
  old.dataDir = join(home, "old");
  newDataDir = join(home, "new");
  await cp(server.dataDir, old.dataDir, { recursive: true });
  await copyDatabase();
  await work(8);
  await createRepository("late", false);
  await logSegment("later", 2);
  await sendLarge("r0", later);
  await sendLarge("late", later);
  await leaveHalfAnObject("r0");
  await server.container.operation.auditMaintenance.link();
  await server.container.operation.auditMaintenance.keepCheckpoints();
  await server.container.pipelines.logs.close();
  await cp(server.dataDir, newDataDir, { recursive: true });
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
  await asSuperuser((client) => client.query(`drop database if exists ${old.database} with (force)`));
  await rm(join(newDataDir, ".."), { recursive: true, force: true });
});

async function createRepository(name: string, withFiles: boolean): Promise<void> {
  const { status } = await server.api("POST", "/repos", {
    token: ada.token,
    body: { name, visibility: "private", ...(withFiles ? { readme: true } : {}) },
  });
  expect(status).toBe(201);
  const tree = await git.workTree({ "README.md": `${name}\n` });
  trees.set(name, tree);
  await push(name, "+main:main");
}

const push = (name: string, ...specs: string[]) =>
  git.ok(["push", "-q", addressWithToken(server.webUrl, `ada/${name}`, ada.token), ...specs], {
    cwd: trees.get(name) ?? "",
  });

/** Pushes, forced pushes, branches that come and go. */
async function work(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const name = names[pick(2)] ?? "";
    const tree = trees.get(name) ?? "";
    await git.commit(tree, { [`f${step}`]: String(random()) });
    const branch = `b${pick(3)}`;
    await push(name, `+HEAD:${branch}`);
    const kind = pick(3);
    if (kind === 0) await push(name, `:${branch}`);
    else if (kind === 1) await push(name, "main~0:main", `HEAD:refs/tags/t${step}-${pick(1000)}`);
  }
}

async function sendLarge(name: string, object: typeof kept): Promise<void> {
  const answer = await lfsUpload(server, `ada/${name}`, object, ada.token);
  expect(answer.status).toBe(200);
}

/** What a store may hold that was never whole: its key is of bytes that it does not have. */
async function leaveHalfAnObject(name: string): Promise<void> {
  const { db, objects } = server.container.platform;
  const row = await db.one<{ id: string }>("select id from repositories where name = $1", [name]);
  await objects.put(`lfs/${row?.id}/${"0".repeat(64)}`, Buffer.from("half"));
}

/** The bytes of a large object as a client gets them, or the code of the refusal. */
async function readLarge(
  { platform: { db }, hosting: { lfs } }: TextContainer,
  name: string,
  object: typeof kept,
): Promise<string> {
  const row = await db.one<{ id: string }>("select id from repositories where name = $1", [name]);
  const wanted = { oid: object.oid, sizeBytes: object.size };
  return lfs.transfers.open(row?.id ?? "", wanted).then(
    async (bytes) => (await buffer(bytes)).toString(),
    (error: AppError) => error.code,
  );
}

/** A finished stream of one segment, as a run leaves it. */
async function logSegment(text: string, number: number): Promise<void> {
  const raw = Buffer.from(`${text}\n`);
  const frame = { channel: 0, offset: 0, firstLine: 0, rawLength: raw.length, compressed: false };
  const body = encodeLogFrame({ ...frame, timeRuns: [{ lines: 1, timeMs: 1 }], payload: raw });
  const id = `log_${String(number).padStart(26, "0")}`;
  await server.container.platform.objects.put(`logs/${id}/000000000000-aa`, body);
  await asSuperuser(async (client) => {
    // A stream needs a whole run above it, which is beside the point here.
    await client.query("set session_replication_role = replica");
    await client.query(
      `insert into log_streams (id, attempt_id, pipeline_id, kind, position, next_offset, next_line, ended, complete)
       values ($1, 'x', 'x', 'setup', 0, $2, 1, true, true)`,
      [id, raw.length],
    );
    await client.query(
      `insert into log_segments (stream_id, start_offset, end_offset, first_line, next_line, object_key, stored_bytes, index)
       values ($1, 0, $2, 0, 1, $3, $4, $5)`,
      [
        id,
        raw.length,
        `logs/${id}/000000000000-aa`,
        body.length,
        JSON.stringify([{ raw: raw.length, stored: body.length, line: 0 }]),
      ],
    );
  }, server.database.name);
}

async function asSuperuser(
  work: (client: pg.Client) => Promise<unknown>,
  database = "postgres",
): Promise<void> {
  const url = new URL((await readBed()).postgres.superuser);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Needs nobody to be connected for a moment: the server's pool comes back by itself. */
async function copyDatabase(): Promise<void> {
  old.database = `${server.database.name}_old`;
  await asSuperuser(async (client) => {
    await client.query(`alter database ${server.database.name} with allow_connections false`);
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
      server.database.name,
    ]);
    await client.query(
      `create database ${old.database} template ${server.database.name} owner forgeline_owner`,
    );
    for (const name of [server.database.name, old.database])
      await client.query(`alter database ${name} with allow_connections true`);
  });
}

async function containerOf(database: string, dataDir: string): Promise<TextContainer> {
  const url = new URL(server.config.database.url.reveal());
  url.pathname = `/${database}`;
  const config = {
    ...server.config,
    database: { ...server.config.database, url: new Secret(url.href) },
    dataDir,
    keys: {
      ...server.config.keys,
      keyring: join(dataDir, "keyring.json"),
      file: join(dataDir, "instance.key"),
    },
    objectStore: { ...server.config.objectStore, address: `file://${join(dataDir, "objects")}` },
  };
  return ofTexts(await createContainer(config, { role: "command" }));
}

async function drill(
  database: string,
  dataDir: string,
  judge: (c: TextContainer, found: Finding[]) => Promise<void>,
) {
  const container = await containerOf(database, dataDir);
  try {
    const found = await container.upkeep.repair.run();
    await agree(container);
    // What is lost stays lost, and told; nothing else is left to do.
    const again = await container.upkeep.repair.run();
    expect(again.filter(({ kind }) => kind !== "log_lost")).toEqual([]);
    await judge(container, found);
  } finally {
    await container.close();
  }
}

/** Refs without rows, rows without refs, rows without directories, directories without rows: none. */
async function agree({ platform, hosting: { repositoryDirectories } }: TextContainer): Promise<void> {
  const { db, storage, git: store } = platform;
  const ids: string[] = [];
  for await (const { id } of repositoryDirectories.all()) {
    ids.push(id);
    const refs = await allRefs(store.start, storage.directory(id));
    const records = await lastRecorded(db, id);
    const recorded = new Map(Array.from(records).filter(([, oid]) => !/^0+$/.test(oid)));
    expect(new Map(recorded), id).toEqual(new Map(refs));
  }
  const there: string[] = [];
  for await (const id of storage.list(0)) there.push(id);
  expect(there.toSorted()).toEqual(ids.toSorted());
}

async function keysOf(objects: TextContainer["platform"]["objects"], prefix: string): Promise<string[]> {
  const keys = [];
  for await (const { key } of objects.list(prefix)) keys.push(key);
  return keys;
}

const kinds = (found: readonly Finding[]) => [...new Set(found.map(({ kind }) => kind))].toSorted();

describe("after a restore", () => {
  it("an older database: what came after it is recorded as found, or set aside", async () => {
    await drill(old.database, newDataDir, async (container, found) => {
      const { audit, auditMaintenance } = container.operation;
      const { objects } = container.platform;
      expect(kinds(found)).toEqual([
        "audit_rewound",
        "directory_unclaimed",
        "lfs_recorded",
        "objects_unnamed",
        "refs_recorded",
      ]);
      const aside = found.find(({ kind }) => kind === "directory_unclaimed")?.subject ?? "";
      expect(await readFile(join(newDataDir, "unclaimed", `${aside}.git`, "HEAD"), "utf8")).toContain("main");
      expect(found.filter(({ kind }) => kind === "lfs_recorded")).toMatchObject([
        { subject: "ada/r0", text: expect.stringContaining(later.oid) },
      ]);
      for (const object of [kept, later])
        expect(await readLarge(container, "r0", object)).toBe(object.bytes.toString());
      expect(await keysOf(objects, "lfs/")).toHaveLength(2);
      expect(found.find(({ subject }) => subject === "lfs")?.text).toMatch(/^2 Git LFS object\(s\)/);
      await auditMaintenance.link();
      await auditMaintenance.keepCheckpoints();
      expect(await audit.verify(null, { limit: 1000 })).toMatchObject({ valid: true });
    });
  });

  it("a newer database: what the repositories do not have is recorded as gone, and shown as damaged", async () => {
    await drill(server.database.name, old.dataDir, async (container, found) => {
      const { db } = container.platform;
      const { logs } = container.pipelines;
      expect(kinds(found)).toEqual(["directory_missing", "lfs_lost", "log_lost", "refs_recorded"]);
      const gone = found.filter(({ kind }) => kind === "lfs_lost");
      expect(gone.map(({ subject }) => subject).toSorted()).toEqual(["ada/late", "ada/r0"]);
      expect(gone[0]?.text).toContain(later.oid);
      expect(await readLarge(container, "r0", kept)).toBe(kept.bytes.toString());
      expect(await readLarge(container, "r0", later)).toBe("not_found");
      expect(found.filter(({ kind }) => kind === "directory_missing")).toMatchObject([
        { subject: "ada/late" },
      ]);
      expect(await db.query("select damage from repository_maintenance where damage <> '{}'")).toHaveLength(
        1,
      );
      const lost = `log_${"2".padStart(26, "0")}`;
      const parts: Buffer[] = [];
      for await (const part of logs.reader.bytes(lost, 0, 6)) parts.push(part);
      expect(Buffer.concat(parts).toString()).toBe("[forg\n");
      expect(await db.one("select complete from log_streams where id = $1", [lost])).toEqual({
        complete: false,
      });
    });
  });
});
