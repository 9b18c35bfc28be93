/** The lists of programs that `npm test` sets up or counts on are what the sources start: no more, and no less. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { essentialPrograms, neededPrograms, unpackagedPrograms } from "../support/programs/needed.ts";
import { findSpawned, readSources } from "../support/programs/spawned.ts";

const sources = readSources(join(import.meta.dirname, "../.."));
const spawned = findSpawned(sources);
/** Program → a file that names it without a call. */
const named: Record<string, string | undefined> = {
  ...essentialPrograms,
  ...Object.fromEntries(Object.keys(unpackagedPrograms).map((name) => [name, undefined])),
  ...Object.fromEntries(
    Object.entries(neededPrograms).map(([name, program]) => [
      name,
      "namedIn" in program ? program.namedIn : undefined,
    ]),
  ),
};

/** Where the program of a call is no literal: what it is. */
const unnamed: Record<string, string> = {
  "cli/bin.mjs": "the Node of our own package",
  "cli/commands/runners/program.ts": "our runner",
  "launcher/backup/restore.ts": "PostgreSQL of a package",
  "launcher/base-image.ts": "busybox, by its path",
  "launcher/docker/daemon.ts": "dockerd, by its path",
  "launcher/postgres/cluster.ts": "PostgreSQL of a package",
  "launcher/supervisor.ts": "our programs, PostgreSQL and Temporal",
  "launcher/temporal/build.ts": "go, by its path",
  "launcher/temporal/server.ts": "Temporal",
  "runner/bin.mjs": "the Node of our own package",
  "runner/egress/own-process.ts": "forgeline-init",
  "runner/engine/docker/helper.ts": "forgeline-init",
  "runner/engine/docker/job-disk.ts": "forgeline-init",
  "scripts/bootstrap.mjs": "npm, and the Node of our own package",
  "scripts/build-init.ts": "the Python of an environment",
  "scripts/fuzz/run.ts": "schemathesis",
  "scripts/python/environment.ts": "the Python of an environment",
  "server/domains/collaboration/attachments/scan.ts": "the scanner that the operator names",
  "server/platform/git/remote/ssh-command.ts": "ssh, by a script of ours that Git starts too",
  "server/platform/processes/process-starter.ts": "our own process that starts Git",
  "server/platform/processes/start-process.ts": "git",
  "server/platform/processes/starter.ts": "git",
  "test/contract/init-binaries.test.ts": "forgeline-init",
  "test/contract/webhook-receivers.test.ts":
    "each language of docs/webhooks.md, and the Python of an environment",
  "test/hostile/75-leftovers.test.ts": "forgeline-init",
  "test/hostile/other-requests.ts": "Node",
  "test/hostile/pourer.ts": "Node",
  "test/hostile/ssh-pourer.ts": "Node",
  "test/hostile/support/other-user.ts": "Node, or unshare around it",
  "test/integration/git/clients/other-clients.test.ts": "Node, and the Python of an environment",
  "test/integration/launcher/downloads.test.ts": "our own command line and runner",
  "test/manual/oauth-authlib.ts": "the Python of an environment",
  "test/manual/ssh-audit.ts": "the Python of an environment",
  "test/support/command-line.ts": "Node, or script around it",
  "test/support/git-source.ts": "git-daemon, by its path in Git",
  "test/support/s3-gateway.ts": "versitygw",
  "test/support/neighbours/own-namespaces.ts": "ip, by its path",
  "test/support/program.ts": "Node, or unshare around it",
  "test/support/otlp/collector.ts": "go and the collector, by their paths",
  "test/support/otlp/decode.ts": "the Python of an environment",
  "test/support/programs/set-up.ts": "each of the list that is asked whether it works",
  "test/support/test-image.ts": "a program of the machine that a test puts into an image",
  "test/support/versitygw.ts": "go, by its path",
  "test/unit/launcher/run.test.ts": "programs that are not there",
  "test/unit/launcher/temporal/find.test.ts": "programs that the test makes",
  "test/unit/runner/engine/docker/step-script.test.ts": "dash, bash and busybox",
};

describe("each program that is started", () => {
  it("is in one of the lists", () => {
    const unknown = [...spawned.byName].filter(([name]) => !(name in named));
    expect(unknown.map(([name, files]) => `${name}: ${[...files].join(", ")}`)).toEqual([]);
  });

  it("is in one list only", () => {
    const all = [neededPrograms, essentialPrograms, unpackagedPrograms].flatMap((list) => Object.keys(list));
    expect(all.filter((name, i) => all.indexOf(name) !== i)).toEqual([]);
  });

  it("has its name in the call, or is known of the file", () => {
    expect([...spawned.unnamed].sort()).toEqual(Object.keys(unnamed).sort());
  });
});

describe("each program of the lists", () => {
  it("is started, or named by the file that it is said to be named by", () => {
    const stale = Object.entries(named).filter(([name, file]) => {
      const word = new RegExp(`(?<![\\w-])${name.replaceAll(".", "\\.")}(?![\\w-])`);
      return file === undefined ? !spawned.byName.has(name) : !word.test(sources.get(file) ?? "");
    });
    expect(stale).toEqual([]);
  });

  it("needs no file that names it where a call has its name", () => {
    const both = Object.entries(named).filter(([name, file]) => file && spawned.byName.has(name));
    expect(both).toEqual([]);
  });
});

describe("a call is seen", () => {
  const seen = (...lines: string[]) => {
    const starter =
      'import { spawn } from "node:child_process";\nexport function run(program: string) { spawn(program); }';
    const found = findSpawned(
      new Map([
        ["launcher/run.ts", starter],
        ["test/a.ts", lines.join("\n")],
      ]),
    );
    return [...found.byName.keys(), ...[...found.unnamed].map(() => "?")];
  };
  const imported = 'import { spawn, execFile as start } from "node:child_process";';

  it.each([
    ["with its arguments on other lines", [imported, 'spawn(\n  "curl",\n  ["-s"],\n);'], ["curl"]],
    ["by another name", [imported, 'start("curl");'], ["curl"]],
    ["by its path", [imported, 'spawn("/usr/bin/curl");'], ["curl"]],
    ["promisified", [imported, 'const go = promisify(start);\nawait go("curl", []);'], ["curl"]],
    ["promisified on the spot", [imported, 'await promisify(start)("curl", []);'], ["curl"]],
    ["by execa", ['import { execa } from "execa";', 'await execa("curl", []);'], ["curl"]],
    ["imported later", ['const { spawn } = await import("node:child_process");', 'spawn("curl");'], ["curl"]],
    ["through our own", ['import { run } from "../launcher/run.ts";', 'run("curl");'], ["curl"]],
    [
      "through our own of a workspace",
      ['import { run } from "@forgeline/launcher/run.ts";', 'run("curl");'],
      ["curl"],
    ],
    ["without a literal", [imported, "spawn(words[0], []);"], ["?"]],
    ["of Node itself, which is there", [imported, "spawn(process.execPath, []);"], []],
    ["of a method, which is another", [imported, 'runner.run("curl"); text.exec("curl");'], []],
    [
      "in a comment or a text, which is none",
      [imported, `// spawn("curl")\nconst text = 'spawn("curl")';`],
      [],
    ],
  ])("%s", (_, lines, names) => expect(seen(...lines)).toEqual(names));
});
