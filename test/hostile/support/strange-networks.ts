/**
 * Networks that jobs must not reach, and an Internet, all of them in one network namespace of this machine: packets to their
 * addresses go there and nowhere else. Should the way there be gone, routes that lead nowhere stay until the last of it is.
 */
import { readFile, writeFile } from "node:fs/promises";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { guard } from "../../support/guard.ts";

const run = promisify(execFile);
/** Of each process its own, since two of them may have such networks at the same time. */
const own = process.pid % 80;
/** The mark of our routes, which nothing else on a machine uses. */
const protocol = String(100 + own);
const forwardingFile = "/proc/sys/net/ipv6/conf/all/forwarding";
/** Answers each connection with a word, on every address of where it runs; and at the given ones each name with 10.1.2.3. */
const listener = `
for (const address of process.argv.slice(2)) {
  const socket = require("node:dgram").createSocket(address.includes(":") ? "udp6" : "udp4").bind(53, address);
  socket.on("message", (asked, from) => {
    const end = asked.indexOf(0, 12) + 5;
    const head = Buffer.from([asked[0], asked[1], 0x81, 0x80, 0, 1, 0, asked[end - 3] === 1 ? 1 : 0, 0, 0, 0, 0]);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 1, 2, 3]);
    socket.send(Buffer.concat([head, asked.subarray(12, end), ...(head[7] ? [answer] : [])]), from.port, from.address);
  });
}
require("node:net").createServer((socket) => {
  socket.on("error", () => undefined);
  socket.end("reached\\n");
}).listen({ port: Number(process.argv[1]), host: "::" }, () => process.stdout.write("ready\\n"));
process.stdin.resume().on("end", () => process.exit());`;
const cleaning = `ip netns del "$1"; ip link del "$2"; ip route flush proto ${protocol}; ip -6 route flush proto ${protocol}
[ "$3" = 1 ] || echo "$3" >${forwardingFile}`;

export interface StrangeNetworks {
  /** Where a program listens on every address. */
  port: number;
  close(): Promise<void>;
}

/** `addresses` all lie in the namespace; `v6Network` is the jobs' own, which it sends answers to. */
export async function openStrangeNetworks(
  addresses: readonly string[],
  port: number,
  nameServers: readonly string[],
): Promise<StrangeNetworks> {
  const name = `flt${String(process.pid)}`;
  const outside = `flh${String(process.pid)}`;
  const link = { v4: `10.211.${String(own)}`, v6: `fd00:213:${own.toString(16)}:` };
  const forwarding = await readFile(forwardingFile, "utf8");
  const cleaner = guard(cleaning, name, outside, forwarding.trim());
  const ip = (...words: string[]) => run("ip", words);
  const inside = (...words: string[]) => run("ip", ["netns", "exec", name, "ip", ...words]);
  try {
    await ip("netns", "add", name);
    await ip("link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", name);
    await ip("address", "add", `${link.v4}.1/30`, "dev", outside);
    await ip("-6", "address", "add", `${link.v6}:1/64`, "dev", outside, "nodad");
    await ip("link", "set", outside, "up");
    await inside("link", "set", "lo", "up");
    await inside("address", "add", `${link.v4}.2/30`, "dev", "eth0");
    await inside("-6", "address", "add", `${link.v6}:2/64`, "dev", "eth0", "nodad");
    await inside("link", "set", "eth0", "up");
    await inside("route", "add", "default", "via", `${link.v4}.1`);
    await inside("-6", "route", "add", "default", "via", `${link.v6}:1`);
    await writeFile(forwardingFile, "1");
    for (const address of addresses) {
      const isV6 = address.includes(":");
      const family = isV6 ? "-6" : "-4";
      const [to, via] = isV6 ? [`${address}/128`, `${link.v6}:2`] : [`${address}/32`, `${link.v4}.2`];
      await inside(family, "address", "add", to, "dev", "lo", ...(isV6 ? ["nodad"] : []));
      await ip(family, "route", "add", "blackhole", to, "metric", "9999", "proto", protocol);
      await ip(family, "route", "add", to, "via", via, "dev", outside, "metric", "10", "proto", protocol);
    }
    const ears = spawn("ip", [
      "netns",
      "exec",
      name,
      process.execPath,
      "-e",
      listener,
      String(port),
      ...nameServers,
    ]);
    await once(ears.stdout, "data");
    return {
      port,
      async close() {
        ears.stdin.end();
        await once(ears, "exit");
        await cleaner.clean();
      },
    };
  } catch (error) {
    await cleaner.clean();
    throw error;
  }
}

/** The same on this machine itself, on every address, at a port that is free. */
export async function listenHere(): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => socket.on("error", () => undefined).end("reached\n"));
  server.listen(0, "::");
  await once(server, "listening");
  const at = server.address();
  return { port: typeof at === "object" && at ? at.port : 0, close: () => void server.close() };
}

export interface Target {
  host: string;
  port: number;
}

/** A script that tries all at once, and prints those that answered, a line each. */
export function tryAll(targets: readonly Target[]): string {
  const attempts = targets.map(
    ({ host, port }) =>
      `{ [ "$(nc -w 3 ${host} ${String(port)} </dev/null 2>/dev/null)" = reached ] && echo "${host} ${String(port)}"; } &`,
  );
  return `${attempts.join("\n")}\nwait\n:`;
}

/** A script that asks each name server, past that of the container, and prints those that answered. */
export function askNames(servers: readonly string[]): string {
  const questions = servers.map(
    (server) =>
      `{ timeout 3 nslookup -type=a hidden.example ${server} | grep -q 10.1.2.3 && echo "names ${server}"; } &`,
  );
  return ["exec 2>/dev/null", ...questions, "wait", ":"].join("\n");
}

/** A script that waits, for some seconds at most, until the target answers. */
export function untilThere({ host, port }: Target): string {
  return `for try in $(seq 100); do
  [ "$(nc -w 3 ${host} ${String(port)} </dev/null 2>/dev/null)" = reached ] && break
  sleep 0.1
done`;
}

export function asLine({ host, port }: Target): string {
  return `${host} ${String(port)}`;
}
