import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createOptions, type ContainerPlan } from "@forgeline/runner/engine/docker/create-options.ts";
import { expectCaged, listedNames, optionNames } from "../../../../support/create-options.ts";

/** The same plans on every run: numbers from a hash, so that a failure can be repeated. */
function numbers(seed: number): () => number {
  let round = 0;
  return () => {
    round += 1;
    return (
      createHash("sha256")
        .update(`${String(seed)}:${String(round)}`)
        .digest()
        .readUInt32BE(0) /
      2 ** 32
    );
  };
}

const hostile = [
  "privileged",
  "--privileged",
  "/var/run/docker.sock:/var/run/docker.sock",
  "host",
  "container:other",
  "../../etc",
  '{"Privileged":true}',
  "__proto__",
  "SYS_ADMIN",
  "ALL",
  "seccomp=unconfined",
  "/dev/sda",
  "$(id)",
  "a\nb",
  "",
];

function randomPlan(seed: number): ContainerPlan {
  const next = numbers(seed);
  const pick = (): string => hostile[Math.floor(next() * hostile.length)] ?? "";
  const maybe = <T>(value: T): T | null => (next() < 0.5 ? null : value);
  return {
    name: "forgeline-job",
    imageId: "sha256:1",
    user: maybe(pick()),
    labels: { "forgeline.part": pick() },
    network: maybe("forgeline-job"),
    isClosed: next() < 0.5,
    isPrivileged: false,
    alias: maybe(pick()),
    extraHosts: ["host.docker.internal:host-gateway"],
    mounts: [{ source: "/work/job", target: "/workspace", readOnly: false }],
    limits: {
      memoryBytes: Math.ceil(next() * 2 ** 40),
      cpu: next() * 64,
      cpuShares: 2 + Math.floor(next() * 100),
      pids: 512,
      openFiles: maybe(65_536),
      shmBytes: maybe(Math.ceil(next() * 2 ** 20)),
    },
    entrypoint: maybe([pick(), pick()]),
    command: maybe([pick()]),
    env: Object.fromEntries([
      [pick(), pick()],
      ["HOSTCONFIG", pick()],
    ]),
    workingDir: maybe(pick()),
    healthCheck: maybe("none" as const) ?? "image",
    logBytes: 65_536,
  };
}

describe("createOptions", () => {
  it("lets nothing of 500 hostile plans reach an option that it does not own, and has all that are listed", () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 500; seed += 1) {
      const plan = randomPlan(seed);
      const options = createOptions(plan);
      expectCaged(options);
      expect(options.HostConfig).toMatchObject({
        NetworkMode: plan.network ?? "none",
        PidsLimit: 512,
        Mounts: [{ Type: "bind", Source: "/work/job", Target: "/workspace", ReadOnly: false }],
      });
      for (const name of optionNames(options)) seen.add(name);
    }
    expect([...seen].toSorted()).toEqual(listedNames());
  });

  it("is exactly this for a job's container", () => {
    const plan: ContainerPlan = {
      name: "forgeline-att_1-1",
      imageId: "sha256:abc",
      user: "1000",
      labels: { "forgeline.kind": "job" },
      network: "forgeline-att_1-1",
      isClosed: false,
      isPrivileged: false,
      alias: null,
      extraHosts: ["host.docker.internal:host-gateway"],
      mounts: [{ source: "/run/in", target: "/forgeline-0123456789abcdef/in", readOnly: true }],
      limits: { memoryBytes: 1024, cpu: 0.5, cpuShares: 102, pids: 10, openFiles: 64, shmBytes: 2048 },
      entrypoint: ["/forgeline-0123456789abcdef/init", "supervise", "/forgeline-0123456789abcdef"],
      command: [],
      env: {},
      workingDir: "/workspace",
      healthCheck: "none",
      logBytes: 65_536,
    };
    expectCaged(createOptions(plan));
    expect(createOptions(plan)).toMatchInlineSnapshot(`
      {
        "AttachStderr": false,
        "AttachStdin": false,
        "AttachStdout": false,
        "Cmd": [],
        "Entrypoint": [
          "/forgeline-0123456789abcdef/init",
          "supervise",
          "/forgeline-0123456789abcdef",
        ],
        "Env": [],
        "Healthcheck": {
          "Test": [
            "NONE",
          ],
        },
        "HostConfig": {
          "AutoRemove": false,
          "CapAdd": [
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "SETUID",
            "SETGID",
            "KILL",
          ],
          "CapDrop": [
            "ALL",
          ],
          "CpuPeriod": 20000,
          "CpuQuota": 10000,
          "CpuShares": 102,
          "ExtraHosts": [
            "host.docker.internal:host-gateway",
          ],
          "IpcMode": "private",
          "LogConfig": {
            "Config": {
              "max-size": "64k",
            },
            "Type": "json-file",
          },
          "Memory": 1024,
          "MemorySwap": 1024,
          "Mounts": [
            {
              "ReadOnly": true,
              "Source": "/run/in",
              "Target": "/forgeline-0123456789abcdef/in",
              "Type": "bind",
            },
          ],
          "NetworkMode": "forgeline-att_1-1",
          "PidsLimit": 10,
          "Privileged": false,
          "RestartPolicy": {
            "Name": "no",
          },
          "SecurityOpt": [
            "no-new-privileges",
          ],
          "ShmSize": 2048,
          "Ulimits": [
            {
              "Hard": 64,
              "Name": "nofile",
              "Soft": 64,
            },
          ],
        },
        "Image": "sha256:abc",
        "Labels": {
          "forgeline.kind": "job",
        },
        "OpenStdin": false,
        "Tty": false,
        "User": "1000",
        "WorkingDir": "/workspace",
        "name": "forgeline-att_1-1",
      }
    `);
  });
});
