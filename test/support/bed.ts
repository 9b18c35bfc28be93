/**
 * The test bed: a real PostgreSQL, Temporal and Docker, shared by all test files of one run. Its addresses are
 * in a JSON file that `FORGELINE_TEST_BED` names; a bed that is already up (a developer's standing one) is used.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Docker from "dockerode";
import pg from "pg";
import { bridgeGateway } from "@forgeline/launcher/addresses.ts";
import { ensureCertificates, type Certificates } from "@forgeline/launcher/certificates.ts";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { startCluster, type PostgresCluster } from "@forgeline/launcher/postgres/cluster.ts";
import { findPostgresPrograms } from "@forgeline/launcher/postgres/programs.ts";
import { findTemporal } from "@forgeline/launcher/temporal/find.ts";
import { pickTemporalPorts, startTemporal } from "@forgeline/launcher/temporal/server.ts";
import { waitFor } from "@forgeline/launcher/wait-for.ts";
import { migrate } from "@forgeline/server/platform/db/migrate.ts";
import { ensureGo } from "./go.ts";

export interface Bed {
  pid: number;
  /** Connection addresses to the maintenance database `postgres`. */
  postgres: { port: number; superuser: string; ownerPassword: string; appPassword: string };
  temporalAddress: string;
  dockerSocket: string;
  /** Address of the host on Docker's default bridge, where jobs reach the server; empty when there is none. */
  dockerGateway: string;
  /** Of all servers of a run; it names what people, runners and jobs call the machine. */
  certificates: Certificates;
  /** Database that every test database is cloned from. */
  templateDatabase: string;
  /** Pids of the servers, for tests that look at them. */
  pids: Record<string, number | undefined>;
}

export interface RunningBed {
  bed: Bed;
  file: string;
  /** `kill -9`; its supervisor starts it again. Resolves once it is dead. */
  kill(part: "postgresql" | "temporal"): Promise<void>;
  stop(): Promise<void>;
}

const templateDatabase = "forgeline_template";

/** For tests: none cuts the machine's power, and what is committed outlives PostgreSQL's own death without them. */
const quickSettings = { fsync: "off", full_page_writes: "off" };

export interface BedOptions {
  directory: string;
  say: (line: string) => void;
  /** As in production, with real syncing: for benchmarks. */
  isDurable?: boolean;
}

export async function startBed({ directory, say, isDurable = false }: BedOptions): Promise<RunningBed> {
  await mkdir(directory, { recursive: true });
  const secret = () => randomBytes(12).toString("hex");
  const secrets = { superuser: secret(), owner: secret(), app: secret(), temporal: secret() };
  const cluster = await startCluster({
    programs: await findPostgresPrograms(),
    dataDirectory: join(directory, "postgresql"),
    port: await freeLowPort(),
    secrets,
    ...(isDurable ? {} : { settings: quickSettings }),
    observer: { onLine: () => undefined },
  });
  say("PostgreSQL is up");
  try {
    return await completeBed({ directory, say, cluster, secrets });
  } catch (error) {
    await cluster.process.stop();
    throw error;
  }
}

interface BedParts {
  directory: string;
  say: (line: string) => void;
  cluster: PostgresCluster;
  secrets: { temporal: string; owner: string; app: string };
}

/** The template of databases, and Temporal. */
async function completeBed({ directory, say, cluster, secrets }: BedParts): Promise<RunningBed> {
  const config = loadLauncherConfig();
  await makeTemplate(cluster, secrets);
  const temporal = await startTemporal({
    programs: await findTemporal({
      cache: config.cache,
      env: config.inherited,
      say,
      findGo: () => ensureGo(config.cache, say),
    }),
    directory: join(directory, "temporal"),
    postgresPort: cluster.port,
    password: secrets.temporal,
    ports: await pickTemporalPorts(),
    env: config.inherited,
    observer: { onLine: () => undefined },
  });
  say("Temporal is up");
  const dockerGateway = (await bridgeGateway(new Docker())) ?? "";
  const bed: Bed = {
    pid: process.pid,
    postgres: {
      port: cluster.port,
      superuser: cluster.url("superuser", "postgres"),
      ownerPassword: secrets.owner,
      appPassword: secrets.app,
    },
    temporalAddress: temporal.address,
    dockerSocket: "/var/run/docker.sock",
    dockerGateway,
    certificates: await makeCertificates(join(directory, "tls"), dockerGateway),
    templateDatabase,
    pids: { postgresql: cluster.process.pid(), temporal: temporal.process.pid() },
  };
  const file = join(directory, "bed.json");
  await writeFile(file, JSON.stringify(bed, null, 2), { mode: 0o600 });
  return {
    bed,
    file,
    async kill(part) {
      const { pid } = part === "postgresql" ? cluster.process : temporal.process;
      const victim = await waitFor(() => Promise.resolve(pid()), {
        what: `a running ${part}`,
        timeoutMs: 20_000,
      });
      process.kill(victim, "SIGKILL");
      await waitFor(() => Promise.resolve(pid() === victim ? undefined : true), {
        what: "its end",
        timeoutMs: 20_000,
      });
    },
    async stop() {
      await temporal.process.stop();
      await cluster.process.stop();
    },
  };
}

async function makeCertificates(directory: string, dockerGateway: string): Promise<Certificates> {
  await mkdir(directory);
  const names = ["localhost", "127.0.0.1", "::1", "host.docker.internal"];
  return ensureCertificates(directory, dockerGateway === "" ? names : [...names, dockerGateway]);
}

async function makeTemplate(cluster: PostgresCluster, secrets: BedParts["secrets"]): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url("superuser", "postgres") });
  await client.connect();
  // Tests open thousands of connections, of which the proof of a password takes most.
  await client.query("set scram_iterations = 1");
  for (const [role, password] of [
    ["forgeline_owner", secrets.owner],
    ["forgeline_app", secrets.app],
  ] as const)
    await client.query(`alter role ${role} password ${client.escapeLiteral(password)}`);
  await client.query(`create database ${templateDatabase} owner forgeline_owner`);
  await client.end();
  await migrate(cluster.url("owner", templateDatabase));
}

/** Names the bed that a developer keeps up, where no run has one of its own. */
export const standingBedFile = "/tmp/forgeline-bed.json";

/** The bed of this run. Throws with what to do when there is none. */
export async function readBed(): Promise<Bed> {
  const file = process.env["FORGELINE_TEST_BED"] ?? standingBedFile;
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (!text)
    throw new Error(
      `no test bed at ${file}; run tests through "npm test", or start one with "node test/support/standing-bed.ts"`,
    );
  return JSON.parse(text) as Bed;
}
