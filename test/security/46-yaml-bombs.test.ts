/** Broken and hostile pipeline files: each gives a run that says what is wrong; no push is lost, nothing else suffers. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run as runProgram } from "@forgeline/launcher/run.ts";
import { counted } from "../support/counted.ts";
import { createProject, jobOf, oneJob, type Project } from "../support/project.ts";
import { size } from "../support/size.ts";
import { sharedInstance, type SharedInstance } from "../support/shared-instance.ts";

let instance: SharedInstance;
let project: Project;
beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "bombs");
});
afterAll(() => project.remove());

const aliases = (base: string, levels: number) =>
  [
    `a0: &a0 ${base}`,
    ...Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}*a${i}]`),
  ].join("\n");
/** Short enough that it is their number that counts, and not the size of the file. */
const keys = (key: (i: number) => string) => Array.from({ length: 100_000 }, (_, i) => key(i)).join();
const tiny = "image: forgeline/base:1\nsteps: ['true']\n";
const circle = {
  jobs: Object.fromEntries(
    ["a", "b", "c"].map((key, i, keys) => [
      key,
      { image: "forgeline/base:1", needs: [keys[(i + 1) % 3]], steps: ["true"] },
    ]),
  ),
};

const broken: [what: string, file: string, code: string | RegExp][] = [
  ["a bomb of aliases", `x-bomb:\n  ${aliases("[x,x,x,x]", 9).replaceAll("\n", "\n  ")}\n${tiny}`, /^P30/],
  ["a circle of aliases", `x-a: &a [*a]\n${tiny}`, /^P0/],
  ["a bomb of merge keys", `x-a: &a {k: v}\nx-b: &b {<<: [${"*a,".repeat(20_000)}*a]}\n${tiny}`, /^P30/],
  ["100,000 keys", `${tiny}x-k: {${keys((i) => i.toString(36))}}\n`, "P304"],
  ["100,000 keys that are one", `${tiny}x-k: {${keys(() => "k")}}\n`, "P304"],
  ["a depth of 10,000", `x-deep: ${"[".repeat(10_000)}${"]".repeat(10_000)}\n${tiny}`, /^P30/],
  ["a huge file", `# ${"x".repeat(700_000)}\n${tiny}`, "P301"],
  ["a file of many MB", `# ${"x".repeat(size(8_000_000, 30_000_000))}\n${tiny}`, "P301"],
  ["__proto__", `${tiny}__proto__: {image: x}\n`, "P004"],
  ["keys twice", `${tiny}image: other\n`, "P002"],
  ["odd tags", "image: !!js/function 'function(){}'\nsteps: ['true']\n", "P005"],
  ["no YAML at all", "steps: [unclosed\n\t- tab: {", /^P0/],
  ["a NUL as it is", "image: a\u0000b\nsteps: ['true']\n", "P103"],
  ["a NUL by escape", 'image: x\nenv: {A: "a\\0b"}\nsteps: ["true"]\n', "P103"],
  ["half a surrogate pair", 'image: x\nname: "\\ud800"\nsteps: ["true"]\n', "P103"],
  ["an unknown key", `${tiny}privilegde: true\n`, /^P1/],
  ["a circle of needs", JSON.stringify(circle), /^P1/],
  ["needs of itself", JSON.stringify({ jobs: { a: { image: "x", needs: ["a"], steps: ["true"] } } }), /^P1/],
  ["an empty file", "", "P003"],
];

/** Now, or at the most since `clear_refs` was written. */
async function residentBytes(pid: number, which: "VmRSS" | "VmHWM" = "VmRSS"): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(text)?.[1] ?? 0) * 1024;
}

const lint = (content: string) =>
  instance.api<{ valid: boolean; diagnostics: { code: string }[] }>(
    "POST",
    `${project.path}/pipelines/lint`,
    {
      content,
    },
  );
/** A NUL as it is cannot be in a body at all. */
const fitting = broken.filter(([, text]) => text.length < 512 * 1024 && !text.includes("\0"));

const mib = 1024 * 1024;
const times = size(3, 25);

interface Cost {
  /** The most that the server had in memory meanwhile, beyond what it had before. */
  bytes: number;
  ms: number;
}

async function costOf(pid: number, content: string): Promise<Cost> {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
  const before = await residentBytes(pid);
  const began = performance.now();
  await lint(content);
  const ms = performance.now() - began;
  return { bytes: (await residentBytes(pid, "VmHWM")) - before, ms };
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

test("every broken file makes a run that says so, while a good one beside them succeeds", async () => {
  const server = instance.servers[0]?.program.pid() ?? 0;
  const before = await residentBytes(server);
  const [good, ...bad] = await project.pushEach([oneJob("echo fine"), ...broken.map(([, file]) => file)]);
  for (const [i, { sha }] of bad.entries()) {
    const [what, , code] = broken[i] ?? ["", "", ""];
    const run = await project.finished(sha);
    expect(run, what).toMatchObject({ status: "error", reason: "config", stages: [] });
    const diagnostics = run.error?.diagnostics ?? [];
    expect(diagnostics.length, what).toBeGreaterThan(0);
    expect(diagnostics.length, what).toBeLessThanOrEqual(50);
    const codes = diagnostics.map((each) => each.code);
    const fits = (each: string) => (typeof code === "string" ? each === code : code.test(each));
    expect(codes.some(fits), `${what}: ${codes.join()}`).toBe(true);
    expect(diagnostics[0], what).toMatchObject({ file: ".forgeline.yml", severity: "error" });
    expect(diagnostics[0]?.line, what).toBeGreaterThan(0);
  }
  const run = await project.finished(good?.sha ?? "");
  expect(run.status).toBe("success");
  expect((await project.log(run, "job=main&step=0")).toString()).toBe("fine\n");
  // The file of many MB passes through Git alone; nothing was expanded.
  expect((await residentBytes(server)) - before).toBeLessThan(200 * 1024 * 1024);
});

test("lint over REST finds the same, and takes no body without bound", async () => {
  for (const [what, file] of fitting) {
    const result = await lint(file);
    expect(result.valid, what).toBe(false);
    expect(result.diagnostics.length, what).toBeGreaterThan(0);
  }
  expect(await lint(tiny)).toMatchObject({ valid: true, diagnostics: [] });
  await expect(lint(`# ${"x".repeat(2_000_000)}`)).rejects.toThrow(/HTTP 413/);
  await expect(lint("image: \0")).rejects.toThrow(/HTTP 422.*"field":"content"/);
});

test("no file costs more than 20 MB or, at full size, 50 ms", async (context) => {
  const pid = instance.servers[0]?.program.pid() ?? 0;
  const worst = { bytes: 0, ms: 0 };
  for (const [what, content] of fitting) {
    const costs: Cost[] = [];
    for (let time = 0; time <= times; time += 1) costs.push(await costOf(pid, content));
    // The first one warms the compiler up; what else goes on in the server falls on some, not on most.
    const [bytes, ms] = (["bytes", "ms"] as const).map((key) =>
      median(costs.slice(1).map((cost) => cost[key])),
    );
    expect(bytes, what).toBeLessThanOrEqual(20 * mib);
    expect(ms, what).toBeLessThanOrEqual(size(Infinity, 50));
    worst.bytes = Math.max(worst.bytes, bytes!);
    worst.ms = Math.max(worst.ms, ms!);
  }
  const maxMb = (worst.bytes / mib).toFixed(1);
  counted(context, { files: fitting.length, "most MB": maxMb, "most ms": worst.ms.toFixed(0) });
});

test("the command line shows the place, the reason and the help", async () => {
  const { sha } = await project.push({
    ".forgeline.yml": "image: forgeline/base:1\nsteps: ['true']\ntimeout: soon\nenvironment: {}\n",
  });
  const failed = await project.finished(sha);
  const cli = async (...args: string[]) => {
    const env = {
      PATH: process.env["PATH"],
      HOME: instance.directory,
      FORGELINE_URL: instance.url,
      FORGELINE_TOKEN: instance.adminToken,
      FORGELINE_CA_FILE: instance.certificates.caFile,
    };
    return runProgram(process.execPath, ["cli/main.ts", ...args], { env });
  };
  const shown = await cli("pipeline", "view", failed.id, "--repo", project.fullName);
  expect(shown).toContain(".forgeline.yml:3:");
  expect(shown).toContain(".forgeline.yml:4:");
  expect(shown).toMatch(/error\[P1\d\d\]/);
  expect(shown).toContain("/docs/pipelines/errors#P1");

  const file = join(instance.directory, "bomb.yml");
  await writeFile(file, broken[0]?.[1] ?? "");
  await expect(cli("pipeline", "lint", file)).rejects.toThrow(/P30\d/);
});

test("text that no database holds is refused where it comes from, and no fault of the server", async () => {
  for (const value of ["a\0b", "\ud800"])
    await expect(
      instance.api("POST", `${project.path}/pipelines`, { ref: "main", variables: { A: value } }),
    ).rejects.toThrow(/HTTP 422.*"field":"variables\.A"/);
  await expect(instance.api("GET", `${project.path}/pipelines?ref=%00`)).rejects.toThrow(/HTTP 400/);
  await expect(instance.api("GET", `${project.path}/pipelines/%00`)).rejects.toThrow(/HTTP 404/);
});

test("aliases and anchors within the limits work", async () => {
  const file = [
    "x-env: &env {GREETING: hello}",
    "x-step: &step {run: 'echo \"$GREETING\"', env: {<<: *env}}",
    "image: forgeline/base:1",
    "steps: [*step, *step]",
  ].join("\n");
  const run = await project.runFile(file);
  expect(run.status, JSON.stringify(run.error)).toBe("success");
  expect(jobOf(run).attempts[0]?.steps).toHaveLength(2);
});
