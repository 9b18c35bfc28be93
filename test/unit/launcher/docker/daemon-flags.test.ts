import { describe, expect, it } from "vitest";
import { daemonFlags } from "@forgeline/launcher/docker/daemon-flags.ts";

/** As /proc/net/route has it: addresses in hexadecimal, last byte first. */
function routes(...rows: [device: string, network: string, mask: string][]): string {
  const line = ([device, network, mask]: string[]) =>
    [device, hex(network), "00000000", "0001", "0", "0", "0", hex(mask), "0", "0", "0"].join("\t");
  return [
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU",
    ...rows.map(line),
    "",
  ].join("\n");
}

function hex(address = ""): string {
  const bytes = address.split(".").map(Number).toReversed();
  return Buffer.from(bytes).toString("hex").toUpperCase();
}

const lan: [string, string, string] = ["eth0", "192.0.2.0", "255.255.255.0"];
const anywhere: [string, string, string] = ["eth0", "0.0.0.0", "0.0.0.0"];

function bridgeOf(text: string): string[] {
  const flags = daemonFlags(text, undefined);
  return [flags[flags.indexOf("--bip") + 1] ?? "", flags[flags.indexOf("--host-gateway-ip") + 1] ?? ""];
}

describe("the bridge of a daemon of ours", () => {
  it("is the first block of the pool on a fresh machine", () => {
    expect(daemonFlags(routes(anywhere, lan), undefined)).toEqual([
      "--live-restore",
      "--default-address-pool",
      "base=172.30.0.0/15,size=26",
      "--bip",
      "172.30.0.1/26",
      "--host-gateway-ip",
      "172.30.0.1",
    ]);
  });

  it("stays where an earlier daemon has put it", () => {
    const old = routes(anywhere, ["docker0", "172.17.0.0", "255.255.0.0"], lan);
    expect(bridgeOf(old)).toEqual(["172.17.0.1/16", "172.17.0.1"]);
  });

  it("keeps off networks that the machine is in", () => {
    const here = routes(
      ["eth0", "172.30.0.0", "255.255.255.128"],
      ["tun0", "172.30.0.128", "255.255.255.255"],
    );
    expect(bridgeOf(here)).toEqual(["172.30.0.193/26", "172.30.0.193"]);
    const cloud = routes(["eth0", "172.30.0.0", "255.255.0.0"]);
    expect(bridgeOf(cloud)).toEqual(["172.31.0.1/26", "172.31.0.1"]);
    const none = routes(["eth0", "172.16.0.0", "255.240.0.0"]);
    expect(daemonFlags(none, undefined)).not.toContain("--bip");
  });
});

describe("daemon.json", () => {
  it("has the last word: a setting in both places is an error of dockerd", () => {
    const file = JSON.stringify({ "live-restore": true, "host-gateway-ip": "172.17.0.1" });
    expect(daemonFlags(routes(lan), file)).toEqual(["--default-address-pool", "base=172.30.0.0/15,size=26"]);
    expect(daemonFlags(routes(lan), JSON.stringify({ "default-address-pools": [] }))).toEqual([
      "--live-restore",
      "--bip",
      "172.30.0.1/26",
      "--host-gateway-ip",
      "172.30.0.1",
    ]);
  });

  it("that cannot be read is left to dockerd's own words", () => {
    expect(daemonFlags(routes(lan), "{")).toContain("--live-restore");
  });
});
