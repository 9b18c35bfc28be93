/**
 * Floods of SSH connections, before a login and after: how long others wait meanwhile, and what it costs the server.
 *
 *   node test/hostile/ssh-flood.ts [--seconds 5] [--only KIND,…]
 *
 * Exit status 1 when the 99th hundredth of others' waits, of all kinds together, is more than five times what it is while nobody floods,
 * half of the answers of one kind took more than three times as long, or one took over a second. What pours needs a processor of its own:
 * on a machine that others use at the same time, waits say more about them than about us.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { withBed } from "../chaos/chaos-bed.ts";
import { startApiServer, type ApiServer } from "../support/api-server.ts";
import { createSshClient } from "../support/ssh-client.ts";
import { othersWhile } from "./other-requests.ts";
import { sshFloods, startSshPourer, type SshFlood } from "./ssh-pourer.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "5" }, only: { type: "string" } },
});
const milliseconds = Number(values.seconds) * 1_000;
if (!(milliseconds > 0)) throw new Error("--seconds takes a number");

const maxSlower = { p50: 3, p99: 5 };
const maxMs = 1_000;
/** Who has logged in comes with few connections, who has not with as many as there may be from one address. */
const connectionsOf = (kind: SshFlood) => (/before|strangers/.test(kind) ? 100 : 6);

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

/** Of others who ask whether the server lives, while `work` is done; and how much of a processor the server took. */
async function measure<T>(server: ApiServer, work: () => Promise<T>) {
  const { webUrl: baseUrl, ca } = server;
  const other = { baseUrl, ca, token: "", paths: ["/healthz"] };
  const [before, began] = [process.cpuUsage(), performance.now()];
  const { times, result } = await othersWhile(other, work);
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1_000 / (performance.now() - began);
  return { times, result, cpu };
}

function tell(kind: string, { times, cpu }: { times: number[]; cpu: number }, more = ""): void {
  const [p50, p99, max] = [quantile(times, 0.5), quantile(times, 0.99), Math.max(...times)];
  const waits = `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, at most ${max.toFixed(0)} ms`;
  console.log(`${kind} | ${waits} | ${(cpu * 100).toFixed(0)} % of a processor | ${more}`);
}

async function floodAll(server: ApiServer, privateKey: string): Promise<boolean> {
  const quiet = await measure(server, () => pause(milliseconds));
  tell("nobody", quiet);
  const asked = values.only?.split(",");
  const all: number[] = [];
  let isGood = true;
  for (const kind of sshFloods.filter((each) => asked?.includes(each) ?? true)) {
    const task = { kind, port: server.sshPort, privateKey, connections: connectionsOf(kind), milliseconds };
    const flood = await measure(server, () => startSshPourer(task));
    tell(kind, flood, `${flood.result.sent} sent, ${flood.result.connections} connections`);
    all.push(...flood.times);
    isGood &&= Math.max(...flood.times) <= maxMs;
    isGood &&= quantile(flood.times, 0.5) <= maxSlower.p50 * quantile(quiet.times, 0.5);
    // What has been counted is forgotten, and what was cut is gone.
    await pause(2_000);
  }
  const factor = quantile(all, 0.99) / quantile(quiet.times, 0.99);
  console.log(`all kinds | p99 ${factor.toFixed(1)} × that of nobody's`);
  return isGood && factor <= maxSlower.p99;
}

await withBed(console.log, async () => {
  const server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
  const client = await createSshClient(server);
  try {
    const ada = await server.person("ada");
    await server.api("POST", "/repos", { token: ada.token, body: { name: "code", readme: true } });
    const key = await client.keyOf(ada);
    if (!(await floodAll(server, await readFile(key.file, "utf8")))) process.exitCode = 1;
  } finally {
    await client.remove();
    await server.stop();
  }
});
process.exit();
