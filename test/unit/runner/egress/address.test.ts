import { expect, test } from "vitest";
import { addressBytes, isPublic, isWithin, networkOf } from "@forgeline/runner/egress/address.ts";
import { isAllowed, parseAllowed } from "@forgeline/runner/egress/allow-list.ts";
import { resolversOf } from "@forgeline/runner/egress/resolvers.ts";
import { findServer } from "@forgeline/runner/egress/server-addresses.ts";
import { isPublicAddress } from "@forgeline/server/platform/outbound/public-address.ts";

test.each([
  ["1.2.3.4", "01020304"],
  ["::", "00000000000000000000000000000000"],
  ["::1", "00000000000000000000000000000001"],
  ["1::", "00010000000000000000000000000000"],
  ["2001:db8::7f00:1", "20010db800000000000000007f000001"],
  ["::ffff:1.2.3.4", "00000000000000000000ffff01020304"],
  ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008"],
])("%s has the bytes %s", (text, bytes) => {
  expect(addressBytes(text)?.toString("hex")).toBe(bytes);
});

test.each(["", "1.2.3", "fe80::1%eth0", "example.org", "010.1.1.1"])("%j is no address", (text) => {
  expect(addressBytes(text)).toBeNull();
});

test.each([
  ["10.1.2.3", "10.0.0.0/8", true],
  ["11.1.2.3", "10.0.0.0/8", false],
  ["10.1.2.127", "10.1.2.0/25", true],
  ["10.1.2.128", "10.1.2.0/25", false],
  ["fd00::1", "fd00::/8", true],
  ["fe00::1", "fd00::/8", false],
  ["10.1.2.3", "::/0", false],
])("%s within %s: %s", (address, range, expected) => {
  const network = networkOf(range);
  expect(
    isWithin(addressBytes(address) ?? Buffer.alloc(0), network ?? { bytes: Buffer.alloc(0), prefix: 0 }),
  ).toBe(expected);
});

test.each(
  "1.1.1.1 10.0.0.1 169.254.169.254 2606:4700::1 fd00::1 2002:7f00:1:: ::ffff:8.8.8.8 64:ff9b::1".split(" "),
)("runner and server agree whether %s is public", (address) => {
  expect(isPublic(address)).toBe(isPublicAddress(address));
});

test.each([
  ["10.1.2.0/24", 24, null],
  ["10.9.8.7:5432", 32, 5432],
  ["10.9.8.0/24:80", 24, 80],
  ["[fd00::1]:443", 128, 443],
  ["fd00::/8", 8, null],
  ["fd00::1", 128, null],
])("the list may have %s", (text, prefix, port) => {
  expect(parseAllowed(text)).toMatchObject({ network: { prefix }, port });
});

test.each([
  "",
  "example.org",
  "10.0.0.0/33",
  "10.0.0.1:0",
  "10.0.0.1:70000",
  "[fd00::1]",
  "10.0.0/8",
  "fd00::1/129",
])("the list may not have %j", (text) => {
  expect(parseAllowed(text)).toBeNull();
});

test("an entry with a port opens that port alone", () => {
  const list = [parseAllowed("10.9.8.7:5432"), parseAllowed("fd00::/16")].flatMap((entry) => entry ?? []);
  const ask = (address: string, port: number) => isAllowed(list, address, port);
  expect([ask("10.9.8.7", 5432), ask("10.9.8.7", 5433), ask("fd00::9", 1), ask("fd01::9", 1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test("resolvers are those that Docker takes", () => {
  const systemd = "nameserver 10.0.0.2\n";
  const daemon = '{ "dns": ["10.0.0.3"] }';
  const none = { hosts: "", systemd: "", daemon: "" };
  expect(resolversOf({ ...none, hosts: "# x\nnameserver 10.0.0.1\nnameserver 127.0.0.1\n" })).toEqual([
    "10.0.0.1",
  ]);
  expect(resolversOf({ ...none, hosts: "nameserver 127.0.0.53\n", systemd })).toEqual(["10.0.0.2"]);
  expect(resolversOf({ ...none, hosts: "nameserver 10.0.0.1\n", systemd })).toEqual(["10.0.0.1"]);
  expect(resolversOf({ ...none, daemon })).toEqual(["10.0.0.3"]);
  expect(resolversOf({ ...none, daemon: "broken" })).toContain("8.8.8.8");
});

test("a server on this machine is its port; elsewhere, its addresses; a name for this machine counts only here", async () => {
  const hosts = ["host.docker.internal:host-gateway", "forge.example:10.7.7.7"];
  const find = async (...urls: string[]) => {
    const { servers, localServerPorts } = await findServer(urls, hosts, (host) =>
      Promise.resolve(host === "localhost" ? ["127.0.0.1", "::1"] : ["10.8.8.8", "fd00::8"]),
    );
    return { servers, localServerPorts };
  };
  expect(await find("wss://localhost:8443/x", "https://host.docker.internal:9443")).toEqual({
    servers: [],
    localServerPorts: [8443, 9443],
  });
  expect(await find("wss://far.example", "https://host.docker.internal:9443")).toEqual({
    servers: [
      { address: "10.8.8.8", port: 443 },
      { address: "fd00::8", port: 443 },
    ],
    localServerPorts: [],
  });
  expect(await find("wss://forge.example:1443")).toEqual({
    servers: [{ address: "10.7.7.7", port: 1443 }],
    localServerPorts: [],
  });
});
