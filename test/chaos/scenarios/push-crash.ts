/**
 * R9 (a, c, d): the API server is killed again and again at random moments under people who push without a pause, over HTTPS and
 * SSH, one branch or four at once. Afterwards what was acknowledged is there, every ref is where the record of pushes says, no
 * atomic push is torn, each moved branch has its run, and no lock is left.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { addressWithToken, createGitClient, type GitClient } from "../../integration/git/git-client.ts";
import { eventually } from "../../support/eventually.ts";
import { administratorByKey } from "../../support/instance-ssh.ts";
import { serverIsReady, startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Round, Scenario } from "../scenario.ts";

const pushers = 6;
const killsPerRound = 3;
const branches = ["main", "one", "two", "three"];
const pipeline = `version: 1
name: each
on: [push]
defaults: { image: "forgeline/base:1" }
stages: [only]
jobs: { a: { stage: only, steps: [{ run: "true" }] } }
`;

/** A push that found no server proves nothing. */
const nobodyThere = /Failed to connect|Connection refused/i;

interface Bed {
  instance: TestInstance;
  git: GitClient;
  ssh: Record<string, string>;
  db: pg.Client;
  made: number;
}

interface Pushed {
  id: string;
  name: string;
  tree: string;
  /** Heads of pushes that Git said had happened, in order. */
  acked: string[];
  cut: number;
}

async function open(): Promise<Bed> {
  const instance = await startTestInstance({ worker: false, runners: 0, ssh: true });
  const git = await createGitClient(instance.certificates.caFile);
  const db = new pg.Client({ connectionString: instance.database.url });
  await db.connect();
  return { instance, git, ssh: await administratorByKey(instance, git.home), db, made: 0 };
}

function addressOf({ instance, ssh }: Bed, name: string, isSsh: boolean) {
  const full = `${instance.adminName}/${name}`;
  if (!isSsh) return { url: addressWithToken(instance.url, full, instance.adminToken), env: {} };
  return { url: `ssh://git@localhost:${instance.servers[0]!.sshPort}/${full}.git`, env: ssh };
}

/** Pushes one commit after the other until told to stop; branches and transports take turns. */
async function pushOn(bed: Bed, isOver: () => boolean): Promise<Pushed> {
  const name = `pushed-${(bed.made += 1)}`;
  const { id } = await bed.instance.api<{ id: string }>("POST", "/repos", { name });
  const tree = await bed.git.workTree({ ".forgeline.yml": pipeline });
  const pushed: Pushed = { id, name, tree, acked: [], cut: 0 };
  for (let n = bed.made; !isOver(); n++) {
    const head = await bed.git.commit(tree, { "count.txt": `${n}\n` });
    const { url, env } = addressOf(bed, name, n % 2 === 0);
    const specs = branches.map((branch) => `HEAD:refs/heads/${branch}`);
    const { code, stderr } = await bed.git.run(["push", "-q", "--atomic", url, ...specs], { cwd: tree, env });
    if (code === 0) pushed.acked.push(head);
    else if (nobodyThere.test(stderr)) await sleep(100);
    else pushed.cut += 1;
  }
  return pushed;
}

async function killAndStart({ instance }: Bed, random: () => number): Promise<void> {
  const server = instance.servers[0]!;
  for (let n = 0; n < killsPerRound; n++) {
    await sleep(300 + random() * 2_000);
    await server.program.kill();
    server.program.start();
    await serverIsReady(server, instance.certificates);
  }
}

const recordedRefs = `
select distinct on (u.ref) u.ref, u.after from pushes p, jsonb_to_recordset(p.updates) as u (ref text, after text)
where p.repository_id = $1 and p.state = 'recorded' order by u.ref, p.id desc`;
const moves = `
select count(*)::int as count from pushes p, jsonb_array_elements(p.updates) where p.repository_id = $1 and p.state = 'recorded'`;
const runs = `select count(*)::int as count from pipelines where repository_id = $1`;

/** What is wrong, by what was promised. */
async function judge(bed: Bed, { id, name, tree, acked }: Pushed): Promise<Record<string, string[]>> {
  const { url } = addressOf(bed, name, false);
  const listed = (await bed.git.ok(["ls-remote", url, "refs/heads/*"])).split("\n").filter(Boolean);
  const refs = new Map(listed.map((line) => [line.slice(41), line.slice(0, 40)]));
  const { rows } = await bed.db.query<{ ref: string; after: string }>(recordedRefs, [id]);
  const differ = rows.filter(({ ref, after }) => refs.get(ref) !== after).map(({ ref }) => ref);
  const heads = new Set(refs.values());
  const [head = ""] = heads;
  const lost = [];
  for (const commit of acked.slice(-1)) {
    const contains = await bed.git.run(["merge-base", "--is-ancestor", commit, head], { cwd: tree });
    if (contains.code !== 0) lost.push(commit);
  }
  const count = async (text: string) => (await bed.db.query<{ count: number }>(text, [id])).rows[0]!.count;
  const [moved, started] = [await count(moves), await count(runs)];
  const directory = join(bed.instance.directory, "data/repositories", id.slice(-2), `${id}.git`);
  const locks = (await readdir(directory, { recursive: true })).filter((each) => each.endsWith(".lock"));
  const next = await bed.git.run(["push", "-q", url, "HEAD:refs/heads/next"], { cwd: tree });
  return {
    "pushes acknowledged and lost": lost,
    "torn atomic pushes": heads.size > 1 ? [[...heads].join(" ")] : [],
    "refs and records that differ": rows.length === refs.size ? differ : [`${rows.length} of ${refs.size}`],
    "moved branches without their run, or with two": moved === started ? [] : [`${started} of ${moved}`],
    "locks left, or the next push refused": [...locks, ...(next.code === 0 ? [] : [next.stderr])],
  };
}

async function round(bed: Bed, random: () => number): Promise<Round> {
  let isOver = false;
  const all = Array.from({ length: pushers }, () => pushOn(bed, () => isOver));
  await killAndStart(bed, random);
  isOver = true;
  const pushed = await Promise.all(all);
  const isSettled = "select 1 from pushes where state = 'intended' limit 1";
  await eventually(async () => (await bed.db.query(isSettled)).rowCount === 0, { timeoutMs: 120_000 });
  const counts: Round["counts"] = {};
  const problems: string[] = [];
  for (const each of pushed) {
    for (const [what, found] of Object.entries(await judge(bed, each))) {
      const { bad, total } = counts[what] ?? { bad: 0, total: 0 };
      counts[what] = { bad: bad + found.length, total: total + each.acked.length + each.cut };
      problems.push(...found.map((one) => `${each.name}: ${what}: ${one}`));
    }
  }
  const cut = pushed.reduce((sum, each) => sum + each.cut, 0);
  const fault = `${killsPerRound} kills of the server, ${cut} pushes cut`;
  if (cut === 0) return { verdict: "void", counts: {}, fault, problems: ["no push was cut"] };
  return { verdict: problems.length === 0 ? "good" : "bad", counts, faults: killsPerRound, fault, problems };
}

export const pushCrash: Scenario = {
  row: "R9",
  name: "push-crash",
  promise:
    "The API server is killed under people who push: refs, records and runs agree, and nothing is torn",
  async open() {
    const bed = await open();
    return {
      round: (random) => round(bed, random),
      async close() {
        await bed.db.end();
        await bed.git.remove();
        await bed.instance.stop();
        return [];
      },
    };
  },
};
