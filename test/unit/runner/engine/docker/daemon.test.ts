import { describe, expect, it } from "vitest";
import { EngineError } from "@forgeline/runner/engine/engine.ts";
import { createDaemon, engineError } from "@forgeline/runner/engine/docker/daemon.ts";
import { isOldRunc, allowsVsock } from "@forgeline/runner/engine/docker/daemon-warnings.ts";
import { fullImageName, isImageName } from "@forgeline/runner/engine/docker/images.ts";
import { parseJournal } from "@forgeline/runner/engine/docker/journal.ts";
import { jobKeyOf } from "@forgeline/runner/engine/docker/labels.ts";
import { parseHttpProbe } from "@forgeline/runner/engine/docker/readiness.ts";

const refused = (): Error => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const answered = (statusCode: number, message: string): Error =>
  Object.assign(new Error(`(HTTP code ${String(statusCode)}) ${message}`), { statusCode, json: { message } });

describe("engineError", () => {
  it.each([
    [
      answered(500, "could not find an available, non-overlapping IPv4 address pool among the defaults"),
      "address_pool",
    ],
    [answered(500, "write /x: no space left on device"), "disk_full"],
    [
      answered(400, 'OCI runtime create failed: exec: "sh": executable file not found in $PATH: unknown'),
      "no_shell",
    ],
    [
      answered(500, "crun: setrlimit `RLIMIT_NOFILE`: Operation not permitted: OCI permission denied"),
      "not_permitted",
    ],
    [
      answered(500, "crun: the requested cgroup controller `memory` is not available: OCI runtime error"),
      "not_permitted",
    ],
    [answered(500, "something else"), "internal"],
    [refused(), "engine_down"],
    [new EngineError("image_pull", "no"), "image_pull"],
  ])("%s is %s", (error, code) => {
    expect(engineError(error).code).toBe(code);
  });

  it("names the setting of an engine that may not raise limits", () => {
    const { message } = engineError(
      answered(500, "runc: error setting rlimit type 7: operation not permitted"),
    );
    expect(message).toMatch(/default_ulimits.*containers\.conf.*setting rlimit type 7/);
  });
});

describe("a daemon that is away", () => {
  it("is asked again until it is back", async () => {
    let calls = 0;
    const answer = await createDaemon(60_000).ask(() => {
      calls += 1;
      return calls < 3 ? Promise.reject(refused()) : Promise.resolve("here");
    });
    expect([answer, calls]).toEqual(["here", 3]);
  });

  it("is given up when patience ends, and never when it answered", async () => {
    let calls = 0;
    const call = (): Promise<never> => {
      calls += 1;
      return Promise.reject(refused());
    };
    await expect(createDaemon(0).ask(call)).rejects.toThrow("ECONNREFUSED");
    await expect(createDaemon(60_000).ask(() => Promise.reject(answered(500, "no")))).rejects.toThrow("no");
    expect(calls).toBe(1);
    expect(await createDaemon(0).find(() => Promise.reject(answered(404, "none")))).toBeNull();
  });

  it("is not waited for by one who stopped", async () => {
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(createDaemon(60_000).ask(() => Promise.reject(refused()), stopped)).rejects.toThrow(
      "stopped",
    );
  });
});

describe("small readings", () => {
  it("completes names of images as docker does", () => {
    expect(fullImageName("alpine")).toBe("alpine:latest");
    expect(fullImageName("host:5000/a/b")).toBe("host:5000/a/b:latest");
    expect(fullImageName("host:5000/a/b:1")).toBe("host:5000/a/b:1");
    expect(fullImageName("a@sha256:12")).toBe("a@sha256:12");
  });

  it("knows what is no name of an image", () => {
    for (const name of ["", "../x", "a//b", "a b", "-a", "a?b", "a%2f", "a\n"])
      expect(isImageName(name)).toBe(false);
    expect(isImageName("ghcr.io/Owner/name_x:1.2-3@sha256:ab")).toBe(true);
  });

  it("reads http probes", () => {
    expect(parseHttpProbe(":8080/health")).toEqual({ port: 8080, path: "/health" });
    expect(parseHttpProbe("9000")).toEqual({ port: 9000, path: "/" });
    expect(parseHttpProbe("/up")).toEqual({ port: 80, path: "/up" });
    expect(parseHttpProbe("http://localhost:81/x?y")).toEqual({ port: 81, path: "/x?y" });
    expect(() => parseHttpProbe("what is it")).toThrow("not a valid probe");
  });

  it("reads exits only when they are whole", () => {
    const exit = { code: 137, oomKills: 1, forksRefused: 0, logError: 0 };
    expect(parseJournal("begun 2\nended 2 137 1 0 0\n").ended.get(2)).toEqual(exit);
    for (const text of ["", "ended 2 1", "ended 2 137 1 0 0", "ended x 1 0 0 0\n", "ended 2 1 2\n"])
      expect(parseJournal(text).ended.size).toBe(0);
  });

  it("knows an old runc", () => {
    expect(["1.1.5+ds1", "1.2.7", "0.9.9"].map(isOldRunc)).toEqual([true, true, true]);
    expect(["1.2.8", "1.3.0", "2.0.0", ""].map(isOldRunc)).toEqual([false, false, false, false]);
  });

  it("knows which Docker lets jobs open vsock sockets", () => {
    expect(["20.10.24+dfsg1", "19.03.1"].map(allowsVsock)).toEqual([true, true]);
    expect(["23.0.0", "29.1.2", ""].map(allowsVsock)).toEqual([false, false, false]);
  });

  it("makes names that the daemon takes", () => {
    expect(jobKeyOf("att_01/..x y-2")).toBe("forgeline-att_01-..x-y-2");
  });
});
