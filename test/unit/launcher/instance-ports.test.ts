/** A taken port is told before anything that takes minutes on a fresh machine. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import type { Console } from "@forgeline/launcher/console.ts";
import { startInstance, type InstanceContext } from "@forgeline/launcher/instance.ts";
import { refuseTakenPorts } from "@forgeline/launcher/instance-ports.ts";

let other: Server;
let taken: string;
beforeEach(async () => {
  other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  taken = String((other.address() as AddressInfo).port);
});
afterEach(() => other.close());

const free = { FORGELINE_HTTPS_PORT: "0" };

it.each(["FORGELINE_HTTPS_PORT", "FORGELINE_HTTP_PORT", "FORGELINE_SSH_PORT"])(
  "refuses a taken %s",
  async (setting) => {
    const config = loadLauncherConfig({ ...free, [setting]: taken });
    await expect(refuseTakenPorts(config)).rejects.toThrow(
      `port ${taken} is taken by another program; set ${setting}`,
    );
  },
);

it("leaves alone what nobody asked for, and addresses that are not here yet", async () => {
  await refuseTakenPorts(loadLauncherConfig(free));
  const elsewhere = { FORGELINE_LISTEN: "192.0.2.1", FORGELINE_HTTPS_PORT: taken };
  await refuseTakenPorts(loadLauncherConfig(elsewhere));
});

it("starts no part of an instance whose port is taken", async () => {
  const said: string[] = [];
  const note = (part: string) => void said.push(part);
  const console = { say: note, ready: note, problem: note } as Partial<Console> as Console;
  const config = loadLauncherConfig({ FORGELINE_HTTPS_PORT: taken, FORGELINE_CACHE: "/nonexistent" });
  const context = { config, console, signal: AbortSignal.timeout(10_000) } as InstanceContext;
  await expect(startInstance(context)).rejects.toThrow("set FORGELINE_HTTPS_PORT to another port");
  expect(said).toEqual([]);
});
