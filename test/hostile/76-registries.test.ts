/** Names of images that would have the daemon dial into the runner's own network. */
import { createServer, type Server } from "node:net";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { checkRegistry, registryOf } from "@forgeline/runner/egress/registry-guard.ts";
import { openEgress, type EgressSettings } from "@forgeline/runner/egress/settings.ts";
import { engineBed, type EngineBed } from "../integration/runner/docker-job.ts";

const filtered: EgressSettings = { ...openEgress, mode: "filter" };
const digest = `sha256:${"0".repeat(64)}`;

let registry: Server;
let port: number;
let dialled = 0;
let bed: EngineBed | undefined;
beforeAll(async () => {
  registry = createServer((socket) => {
    dialled += 1;
    socket.on("error", () => undefined).end();
  }).listen(0, "::");
  await once(registry, "listening");
  const at = registry.address();
  port = typeof at === "object" && at ? at.port : 0;
});
afterEach(async () => {
  await bed?.close();
  bed = undefined;
});
afterAll(() => void registry.close());

async function pull(name: string, egress: EgressSettings): Promise<unknown> {
  const opened = await engineBed({ egress });
  bed = opened;
  dialled = 0;
  return opened.prepare({ image: { name, user: null } }).catch((error: unknown) => error);
}

/** Spellings of what is not in the Internet; `PORT` is one where somebody of this machine listens. */
const inward = [
  "127.0.0.1:PORT/x",
  "127.0.0.1:PORT/team/x:1",
  `127.0.0.1:PORT/x@${digest}`,
  "127.1:PORT/x",
  "127.255.255.254:PORT/x",
  "0177.0.0.1:PORT/x",
  "0x7f.0.0.1:PORT/x",
  "0x7f000001:PORT/x",
  "2130706433:PORT/x",
  "0.0.0.0:PORT/x",
  "localhost:PORT/x",
  "localhost/x",
  "LOCALHOST:PORT/x",
  "10.0.0.5:5000/x",
  "172.16.0.1:5000/x",
  "192.168.1.1:5000/x",
  "169.254.169.254/latest",
  "100.64.0.1:5000/x",
  "198.18.0.1/x",
  "224.0.0.1:5000/x",
  "240.0.0.1/x",
];

test.each(inward)("%s is refused before the daemon dials", async (name) => {
  const error = await pull(name.replace("PORT", String(port)), filtered);
  expect(error).toMatchObject({
    code: "image_pull",
    message: expect.stringMatching(/is not in the Internet; .*FORGELINE_RUNNER_EGRESS_ALLOW=/),
  });
  expect(dialled).toBe(0);
});

describe("the daemon dials", () => {
  test("where nothing is filtered", async () => {
    await pull(`127.0.0.1:${String(port)}/x`, { ...filtered, mode: "open" });
    expect(dialled).toBeGreaterThan(0);
  });

  test("what the operator allows", async () => {
    await pull(`127.0.0.1:${String(port)}/x`, { ...filtered, allow: [`127.0.0.1:${String(port)}`] });
    expect(dialled).toBeGreaterThan(0);
  });

  test("not another port of what the operator allows", async () => {
    await pull(`127.0.0.1:${String(port)}/x`, { ...filtered, allow: ["127.0.0.1:1"] });
    expect(dialled).toBe(0);
  });
});

describe("a name of a registry", () => {
  test.each([
    [["93.184.215.14"], true],
    [["93.184.215.14", "10.0.0.1"], false],
    [["93.184.215.14", "fd00::1"], false],
    [["2606:4700::1"], true],
    [["::ffff:127.0.0.1"], false],
    [["64:ff9b::7f00:1"], false],
    [[], false],
  ])("that leads to %j may be asked: %s", async (addresses, may) => {
    const asked = checkRegistry("registry.example/x", filtered, () => Promise.resolve(addresses)).then(
      () => true,
      () => false,
    );
    expect(await asked).toBe(may);
  });

  test.each([
    ["alpine", null],
    ["library/alpine:3", null],
    ["docker.io/library/alpine", null],
    ["team/x@sha256:00", null],
    ["ghcr.io/x/y", { host: "ghcr.io", port: 443 }],
    ["ghcr.io:5000/x/y", { host: "ghcr.io", port: 5000 }],
    ["Intern/x", { host: "Intern", port: 443 }],
  ])("of the image %s", (image, expected) => {
    expect(registryOf(image)).toEqual(expected);
  });
});
