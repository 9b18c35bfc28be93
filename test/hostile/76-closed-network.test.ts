/**
 * What a job reaches whose file closes its network: with `none` its own services, with a list what is in it and the runner permits;
 * nothing else, by IPv4, IPv6, a name or the proxy of another job. Every target is in a network namespace that the test makes.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEgress, type EgressSettings } from "@forgeline/runner/egress/settings.ts";
import { engineBed, never, runToEnd, step } from "../integration/runner/docker-job.ts";
import {
  docker,
  isRoot,
  onEachRunner,
  runHostile,
  tellsOfDaemon,
  type KindOfRunner,
} from "./support/hostile-bed.ts";
import {
  askNames,
  asLine,
  openStrangeNetworks,
  tryAll,
  untilThere,
  type StrangeNetworks,
} from "./support/strange-networks.ts";
import { importTestImage } from "../support/test-image.ts";

const image = "forgeline-test/closed-network:1";
const port = 7186;
const internet = "25.176.86.7";
const other = "25.176.86.8";
const internetV6 = "2a0e:7600:86::7";
const inside = "10.86.2.3";
/** Not the usual one, to which `76-egress.test.ts` has a route. */
const metadata = "169.254.86.7";
const nameServers = ["25.176.86.53"];
const filtered: EgressSettings = { ...openEgress, mode: "filter" };
const targets = [internet, other, internetV6, inside, metadata, "strange.example"].map((host) => ({
  host,
  port,
}));
const own = { host: "web", port: 8080 };
const service = ["sh", "-c", `nc -ll -p ${String(own.port)} -e echo reached`];

let networks: StrangeNetworks;
beforeAll(async () => {
  if (!isRoot) return;
  const addresses = [internet, other, internetV6, inside, metadata, ...nameServers];
  networks = await openStrangeNetworks(addresses, port, nameServers);
  await importTestImage(docker, { name: image, programs: [{ path: "/usr/bin/perl", as: ["perl"] }] });
});
afterAll(async () => {
  if (!isRoot) return;
  await networks.close();
  await docker.getImage(image).remove({ force: true });
});

const direct = `(\n${tryAll([...targets, own])}\n) &\n(\n${askNames(nameServers)}\n) &\nwait`;

/** Asks the job's own proxy, or the one at an address, for each host; prints what it says of it. */
function askProxy(hosts: readonly string[], proxy = '"${p%:*}"'): string {
  const ask = hosts.map(
    (host) =>
      `echo "${host} $(printf 'CONNECT ${host}:${String(port)} HTTP/1.1\\r\\n\\r\\n' | nc -w 5 ${proxy} 13128 | grep -c -e ' 200 ' -e reached)"`,
  );
  return ["p=${HTTP_PROXY#http://}", ...ask].join("\n");
}

const kinds = { image: { name: image, user: null }, stepTimeoutMs: 40_000, egress: filtered };
const ipv6Of = (kind: KindOfRunner): string =>
  `fd76:86:${(process.pid % 65_536).toString(16)}:${String(kind.length)}::/64`;
const linesOf = (text: string | null | undefined): string[] =>
  (text ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .toSorted();

// Only root can make the networks that are tried.
onEachRunner((kind) => {
  test.runIf(tellsOfDaemon(kind))("with `none` a job reaches its own services and nothing else", async () => {
    const { steps } = await runHostile(kind, {
      ...kinds,
      service,
      ipv6: ipv6Of(kind),
      extraHosts: [`strange.example:${internet}`],
      network: { allow: [] },
      steps: [`${untilThere(own)}\n${direct}`, "env | grep -i proxy; :"],
      stepImages: {},
    });
    expect(linesOf(steps[0]?.output)).toEqual([asLine(own)]);
    expect(linesOf(steps[1]?.output)).toEqual([]);
  });

  test.skipIf(kind === "rootless Docker")(
    "with a list a job reaches what is listed by its proxy, where the runner permits it, and nothing else",
    async () => {
      const { steps } = await runHostile(kind, {
        ...kinds,
        service,
        ipv6: ipv6Of(kind),
        extraHosts: [`strange.example:${internet}`],
        network: { allow: [`${internet}:${String(port)}`, "10.86.0.0/16", "169.254.0.0/16", "localhost"] },
        steps: [`${untilThere(own)}\n${direct}`, askProxy([internet, other, inside, metadata, "localhost"])],
      });
      expect(linesOf(steps[0]?.output)).toEqual([asLine(own)]);
      expect(steps[1]?.output?.trim().split("\n")).toEqual([
        `${internet} 2`,
        `${other} 0`,
        `${inside} 0`,
        `${metadata} 0`,
        "localhost 0",
      ]);
    },
  );

  test.runIf(tellsOfDaemon(kind) && kind !== "rootless Docker")(
    "a listed private network needs the operator too",
    async () => {
      const { steps } = await runHostile(kind, {
        ...kinds,
        egress: { ...filtered, allow: ["10.86.0.0/16"] },
        network: { allow: ["10.86.2.3"] },
        steps: [`${tryAll(targets)}\n${askProxy([inside, internet])}`],
      });
      expect(linesOf(steps[0]?.output)).toEqual([`${inside} 2`, `${internet} 0`]);
    },
  );
}, isRoot);

test.runIf(isRoot)(
  "a job cannot use the proxy of another, which goes on after a restart of the runner",
  async () => {
    const bed = await engineBed({ egress: filtered });
    await bed.engine.filterEgress();
    const job = { image: { name: image, user: null } };
    const mine = await bed.prepare({ ...job, network: { allow: [internet] } });
    const foreign = await bed.prepare({ ...job, network: { allow: [other] } });
    try {
      const { output } = await runToEnd(mine, step(0, "echo $HTTP_PROXY"));
      const address = /\/\/([\d.]+):/.exec(output)?.[1] ?? "";
      const tried = await runToEnd(foreign, step(0, askProxy([internet, other], address)));
      expect(tried.output.trim().split("\n")).toEqual([`${internet} 0`, `${other} 0`]);
      await bed.engine.close();
      const again = bed.another();
      await again.filterEgress();
      const taken = await again.reattach(mine.handle);
      const asked = await runToEnd(taken ?? mine, step(1, askProxy([internet, other])));
      expect(asked.output.trim().split("\n")).toEqual([`${internet} 2`, `${other} 0`]);
      await taken?.destroy();
      await again.close();
    } finally {
      await mine.destroy();
      await foreign.destroy();
      await bed.close();
    }
  },
);

test.runIf(isRoot)(
  "a runner that filters nothing refuses such a job instead of running it open",
  async () => {
    const bed = await engineBed({ egress: openEgress });
    await bed.engine.filterEgress();
    expect(bed.engine.features()).toEqual([]);
    for (const network of [{ allow: [] }, { allow: [internet] }])
      await expect(
        bed.prepare({ image: { name: image, user: null }, network, signal: never }),
      ).rejects.toThrow(/cannot restrict the job's network: it does not filter/);
    await bed.close();
  },
);
