/** Containers are made of an allow-list of options; a pipeline file can ask for nothing beyond it. */
import { readdir, writeFile } from "node:fs/promises";
import Dockerode from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOptions, type ContainerPlan } from "@forgeline/runner/engine/docker/create-options.ts";
import { expectCaged } from "../support/create-options.ts";
import { eventually } from "../support/eventually.ts";
import { createProject, jobOf, type Project } from "../support/project.ts";
import { sharedInstance, type SharedInstance } from "../support/shared-instance.ts";

const image = "forgeline/base:1";
let instance: SharedInstance;
let project: Project;
beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "caged");
});
afterAll(() => project.remove());

const forbidden: Record<string, unknown> = {
  cap_add: ["SYS_ADMIN"],
  capabilities: ["ALL"],
  security_opt: ["seccomp=unconfined"],
  devices: ["/dev/kmsg"],
  volumes: ["/:/host"],
  mounts: [{ type: "bind", source: "/", target: "/host" }],
  binds: ["/var/run/docker.sock:/var/run/docker.sock"],
  network_mode: "host",
  network: "host",
  pid: "host",
  ipc: "host",
  uts: "host",
  userns_mode: "host",
  cgroup_parent: "/",
  sysctls: { "kernel.core_pattern": "|/x" },
  runtime: "crun",
  extra_hosts: ["x:host-gateway"],
  entrypoint: ["/bin/sh"],
  ports: ["22:22"],
  dns: ["8.8.8.8"],
  oom_score_adj: -1000,
  options: "--privileged",
};

test("every key that would open the cage is refused, wherever it is written", async () => {
  const places: ((extra: object) => object)[] = [
    (extra) => ({ image, steps: ["true"], ...extra }),
    (extra) => ({ defaults: { image, ...extra }, jobs: { a: { steps: ["true"] } } }),
    (extra) => ({ jobs: { a: { image, steps: ["true"], ...extra } } }),
    (extra) => ({ jobs: { a: { image, steps: [{ run: "true", ...extra }] } } }),
    (extra) => ({ jobs: { a: { image: { name: image, ...extra }, steps: ["true"] } } }),
    (extra) => ({ jobs: { a: { image, steps: ["true"], resources: extra } } }),
    (extra) => ({ jobs: { a: { image, steps: ["true"], services: { s: { image, ...extra } } } } }),
  ];
  const accepted: string[] = [];
  for (const [at, place] of places.entries()) {
    // All keys of a place at once: each must be named in a diagnostic of its own.
    const content = JSON.stringify(place(forbidden));
    const { diagnostics } = await instance.api<{ diagnostics: { code: string; message: string }[] }>(
      "POST",
      `${project.path}/pipelines/lint`,
      { content },
    );
    const messages = diagnostics.filter((each) => each.code.startsWith("P1")).map((each) => each.message);
    for (const key of Object.keys(forbidden))
      if (!messages.some((message) => message.includes(`"${key}"`))) accepted.push(`${at}: ${key}`);
  }
  expect(accepted).toEqual([]);
});

/** Words that somebody may put wherever text is allowed. */
const hostile = [
  "--privileged",
  "/:/host",
  "host",
  "container:1",
  "..",
  "a\nb",
  "$(x)",
  "seccomp=unconfined",
  "",
];

function randomPlan(seed: number): ContainerPlan {
  let state = seed * 2_654_435_761 + 1;
  const pick = <T>(list: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return list[Math.floor((state / 2_147_483_648) * list.length)] as T;
  };
  const text = () => pick(hostile);
  return {
    name: `n-${seed}`,
    imageId: text(),
    user: pick([null, "0", text()]),
    labels: { [text()]: text() },
    network: pick([null, "net"]),
    isClosed: pick([true, false]),
    isPrivileged: false,
    alias: pick([null, text()]),
    extraHosts: pick([[], ["host.docker.internal:host-gateway"]]),
    mounts: [
      { source: "/own", target: pick(["/workspace", "/job"] as const), readOnly: pick([true, false]) },
    ],
    limits: {
      memoryBytes: pick([1e8, 1e9]),
      cpu: pick([0.5, 4]),
      cpuShares: pick([2, 102]),
      pids: pick([64, 512]),
      openFiles: pick([null, 1024]),
      shmBytes: pick([null, 1e6]),
    },
    entrypoint: pick([null, [text()]]),
    command: pick([null, [text(), text()]]),
    env: { A: text(), Privileged: text() },
    workingDir: pick([null, "/workspace"]),
    healthCheck: "none",
    logBytes: 1000,
  };
}

test("200 random plans give no option beyond the list, and the fixed ones always", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const plan = randomPlan(seed);
    const options = createOptions(plan);
    const host = options.HostConfig ?? {};
    expectCaged(options);
    expect(host).toMatchObject({ NetworkMode: plan.network ?? "none", PidsLimit: plan.limits.pids });
    expect(host.Mounts?.map((mount) => mount.Source)).toEqual(["/own"]);
    expect(host.MemorySwap).toBe(plan.limits.memoryBytes ?? undefined);
  }
});

test("what really runs is caged: job, service, and a step with an image of its own", async () => {
  const docker = new Dockerode({ socketPath: instance.bed.dockerSocket });
  const status =
    "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status; ls /dev; ls /var/run/docker.sock";
  const steps = [
    `${status} || true`,
    { image, run: `${status} || true` },
    "chmod 777 /workspace; n=0; while [ ! -e /workspace/go ] && [ $n -lt 300 ]; do sleep 0.1; n=$((n+1)); done",
    "mount -t tmpfs none /tmp 2>&1 || mknod /tmp/d b 1 1 2>&1 || unshare -m true 2>&1 || echo tried",
  ];
  const services = { side: { image, command: ["sleep", "1000"], ready: false } };
  const resources = { memory: "64Mi", cpu: 0.5 };
  const { sha } = await project.push({
    ".forgeline.yml": JSON.stringify({ jobs: { main: { image, steps, services, resources } } }),
  });
  const found = await eventually(
    async () => {
      const run = await project.runOf(sha);
      const [attempt] = jobOf(run).attempts;
      if (attempt?.steps[2]?.status !== "running") return undefined;
      // The instance may have runners of other tests, too.
      return docker.listContainers({
        all: true,
        filters: { label: [`forgeline.runner=${attempt.runner?.id ?? ""}`] },
      });
    },
    { timeoutMs: 25_000 },
  );
  const ofJob = found.filter((each) => !(each.Labels["forgeline.lease"] ?? "warm").startsWith("warm-x"));
  expect(ofJob.length).toBeGreaterThanOrEqual(3);
  for (const { Id } of ofJob) {
    const info = await docker.getContainer(Id).inspect();
    const host = info.HostConfig as unknown as Record<string, unknown>;
    expect(host).toMatchObject({ Privileged: false, CapDrop: ["ALL"], SecurityOpt: ["no-new-privileges"] });
    for (const key of ["PidMode", "UTSMode", "UsernsMode", "CgroupParent"]) expect(host[key], key).toBe("");
    for (const key of ["Devices", "Binds", "VolumesFrom", "DeviceRequests"])
      expect(host[key] ?? [], key).toEqual([]);
    expect(host["NetworkMode"]).not.toBe("host");
    expect(JSON.stringify(info.Mounts)).not.toContain("docker.sock");
    for (const mount of info.Mounts) expect(mount.Propagation).not.toMatch(/shared/);
  }
  const directory = ofJob
    .flatMap((each) => each.Mounts)
    .find((mount) => mount.Destination === "/workspace" && mount.Source !== "");
  expect(directory).toBeDefined();
  for (const each of ofJob.flatMap((one) => one.Mounts).filter((mount) => mount.Destination === "/workspace"))
    if ((await readdir(each.Source).catch(() => [])).length > 0) await writeFile(`${each.Source}/go`, "");
  const run = await project.finished(sha);
  expect(run.status, JSON.stringify(run.stages)).toBe("success");
  // CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID: bits 0, 1, 3, 4, 5, 6, 7.
  for (const step of [0, 1]) {
    const log = (await project.log(run, `job=main&step=${step}`)).toString();
    expect(log).toMatch(/CapEff:\s+00000000000000fb/);
    expect(log).toMatch(/CapBnd:\s+00000000000000fb/);
    expect(log).toMatch(/NoNewPrivs:\s+1/);
    expect(log).toMatch(/Seccomp:\s+2/);
    expect(log).not.toMatch(/^(kmsg|mem|sda|vda)$/m);
  }
  const tried = (await project.log(run, "job=main&step=3")).toString();
  expect(tried.match(/permi|not permitted|denied/gi)?.length ?? 0).toBeGreaterThanOrEqual(3);
  expect(tried).toContain("tried");
});
