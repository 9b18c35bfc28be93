/** Judges that no secret is anywhere in clear, and that nothing of the round's jobs is left in Docker. */
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { jobsOf, note, type Evidence } from "./judge-jobs.ts";
import { runsOf } from "./settings.ts";
import type { World } from "./world.ts";

const run = promisify(execFile);
const secretsRight = "secrets in clear";
const leftRight = "containers, networks or volumes left";
const sweepMs = 60_000;

/** As they would be seen: as they are, in base64, and in the text of a column of bytes. */
const formsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString("base64").replace(/=+$/, "").slice(0, -1),
  Buffer.from(secret).toString("hex"),
];

export async function judgeSecrets(
  evidence: Evidence,
  world: World,
  judged: { run: Pipeline; secrets: readonly string[] },
) {
  const forms = judged.secrets.flatMap(formsOf);
  for (const place of await foundInDatabases(world, forms))
    note(evidence, secretsRight, `a secret is in clear in ${place}`);
  for (const place of await foundInFolders(world, forms))
    note(evidence, secretsRight, `a secret is in clear in ${place}`);
  note(evidence, secretsRight, null);
  for (const job of jobsOf(judged.run).filter(({ key }) => key.startsWith("secret-"))) {
    const text = await world.text(`${runsOf()}/${judged.run.number}/logs?job=${job.id}&step=1&format=text`);
    const word = job.key.slice("secret-".length);
    const isMasked = text?.startsWith(`${word} *** end\n***`) === true;
    note(
      evidence,
      secretsRight,
      isMasked
        ? null
        : `the log of ${job.key} says ${text?.replaceAll(/chaos-\w+/g, "THE SECRET") ?? "nothing"}`,
    );
  }
}

/** Every row of every table of every database as text, as a dump would show it. */
async function foundInDatabases({ own }: World, forms: readonly string[]): Promise<string[]> {
  const names = await rowsOf<{ datname: string }>(
    own.bed.postgres.superuser,
    "select datname from pg_database where datallowconn",
  );
  const found: string[] = [];
  for (const { datname } of names) {
    const url = new URL(own.bed.postgres.superuser);
    url.pathname = `/${datname}`;
    const tables = await rowsOf<{ name: string }>(
      url.href,
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    for (const { name } of tables) {
      const sql = `select count(*)::int as n from ${name} t where t::text like any($1)`;
      const [row] = await rowsOf<{ n: number }>(url.href, sql, [forms.map((form) => `%${form}%`)]);
      if ((row?.n ?? 0) > 0) found.push(`${datname}.${name}`);
    }
  }
  return found;
}

async function rowsOf<T extends object>(url: string, sql: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Files of the instance, its runners, PostgreSQL and Temporal. */
async function foundInFolders(world: World, forms: readonly string[]): Promise<string[]> {
  // In a file, since arguments are seen by everybody.
  const patterns = join(world.instance.directory, "..", `forgeline-chaos-patterns-${process.pid}`);
  await writeFile(patterns, `${forms.join("\n")}\n`, { mode: 0o600 });
  const args = ["-rlaF", "-D", "skip", "-f", patterns, ...(await world.folders())];
  const { stdout } = await run("grep", args, { maxBuffer: 1e8 }).catch(
    (error: { code?: number; stdout?: string }) => {
      // 1: nothing was found; 2: a file went away meanwhile.
      if (error.code === 1 || error.code === 2) return { stdout: error.stdout ?? "" };
      throw error;
    },
  );
  await rm(patterns);
  return stdout.split("\n").filter(Boolean);
}

/** After the time that sweeping may take. */
export async function judgeLeft(evidence: Evidence, world: World): Promise<void> {
  let left: string[] = [];
  await eventually(async () => (left = await world.left()).length === 0, {
    timeoutMs: sweepMs,
    intervalMs: 1000,
  }).catch(() => undefined);
  note(evidence, leftRight, left.length === 0 ? null : left.join(", "));
}
