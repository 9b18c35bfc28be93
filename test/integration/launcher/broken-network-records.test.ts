/** A Docker daemon that was killed while it deleted a network: its records of networks make each later start die. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDockerd } from "@forgeline/launcher/docker/daemon.ts";
import { connectTo } from "@forgeline/launcher/docker/find.ts";
import { eventually } from "../../support/eventually.ts";
import { startOwnDocker, type OwnDocker } from "../../support/own-docker.ts";

const run = promisify(execFile);

describe("a daemon whose records of networks are broken", () => {
  let own: OwnDocker;
  let runDirectory: string;
  beforeAll(async () => {
    own = await startOwnDocker();
    runDirectory = await mkdtemp(join(tmpdir(), "fl-records-"));
  });
  afterAll(async () => {
    await own.close();
    await rm(runDirectory, { recursive: true, force: true });
  });

  /** Takes the address block from every record, in place: what a kill between two of the daemon's writes leaves. */
  async function breakRecords(): Promise<string> {
    const file = join(own.place.dataRoot, "network", "files", "local-kv.db");
    const bytes = await readFile(file, "latin1");
    await writeFile(file, bytes.replaceAll('"ipamV4Info"', '"ipamV4Gone"'), "latin1");
    return file;
  }

  it("starts again, without them", async () => {
    const network = await own.docker.createNetwork({ Name: "made-by-hand" });
    await own.kill();
    const file = await breakRecords();
    const said: string[] = [];
    const found = await startDockerd({
      dockerd: "dockerd",
      runDirectory,
      env: process.env,
      say: (line) => said.push(line),
      connect: connectTo,
      place: own.place,
    });
    try {
      await found.client.ping();
      const moved = `dockerd cannot read its network records: moved to ${file}.broken, starting again`;
      // Other versions than 20.10 may bear such records.
      expect([["starting dockerd", moved], ["starting dockerd"]]).toContainEqual(said);
    } finally {
      const pid = Number(await readFile(join(runDirectory, "dockerd.pid"), "utf8"));
      process.kill(pid, "SIGTERM");
      await eventually(async () =>
        /^State:\t[XZ]/m.test(await readFile(`/proc/${String(pid)}/status`, "utf8").catch(() => "State:\tX")),
      );
      // Nobody knows any more that it is a network's.
      await run("ip", ["link", "delete", `br-${network.id.slice(0, 12)}`]);
    }
  });
});
