import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  quoteForShell,
  stepLauncher,
  workdirInContainer,
} from "@forgeline/runner/engine/docker/step-script.ts";

const command = { position: 3, script: "", shell: "auto", env: {}, workdir: null, image: null } as const;

describe("quoteForShell", () => {
  it.each(["dash", "bash", "busybox"])("gives every byte but NUL back from %s", (shell) => {
    const every = String.fromCharCode(...Array.from({ length: 255 }, (_, index) => index + 1));
    for (const value of [every, "", "'", "''\\'", "$(id) `id` $HOME", "-n", "\n\n", "ä\u{1f680}"]) {
      const script = `printf %s ${quoteForShell(value)}`;
      const args = shell === "busybox" ? ["sh", "-c", script] : ["-c", script];
      expect(execFileSync(shell, args).toString()).toBe(value);
    }
  });

  it("refuses NUL", () => {
    expect(() => quoteForShell("a\0b")).toThrow("NUL");
  });
});

describe("workdirInContainer", () => {
  it.each([
    [null, "/workspace"],
    [".", "/workspace"],
    ["a/b/", "/workspace/a/b"],
    ["a/../b", "/workspace/b"],
    ["it's", "/workspace/it's"],
  ])("%s is %s", (workdir, path) => {
    expect(workdirInContainer(workdir)).toBe(path);
  });

  it.each(["..", "../workspace2", "a/../..", "/bin", "/", "/proc/self/fd/8"])("refuses %s", (workdir) => {
    expect(() => workdirInContainer(workdir)).toThrow("is outside the workspace");
  });
});

describe("stepLauncher", () => {
  it("lets bash and sh print each command where that is asked for", () => {
    const text = stepLauncher({ ...command, traced: true }, {});
    expect(text).toContain(`exec "$2" -exo pipefail "$3"`);
    expect(text).toContain(`exec "$1" -ex "$3"`);
  });

  it("exports values, and passes those that shells will not assign as arguments", () => {
    const text = stepLauncher(
      { ...command, env: { A: "x'y", UID: "5" }, workdir: "sub" },
      { CI_OUTPUT: "/forgeline/out/step-3.ci" },
    );
    expect(text).toBe(
      [
        "cd -- '/workspace/sub' || exit 1",
        "export A='x'\\''y'",
        "export CI_OUTPUT='/forgeline/out/step-3.ci'",
        `if [ -n "$2" ]; then exec env UID='5' "$2" -eo pipefail "$3"; fi`,
        `exec env UID='5' "$1" -e "$3"`,
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["#!/bin/sh\necho", "/bin/sh", []],
    ["#!/bin/sh", "/bin/sh", []],
    ["#! \t/usr/bin/env  python3 -u \t\n", "/usr/bin/env", ["python3 -u"]],
    ["#!/it's/a $(id)\n", "/it's/a", ["$(id)"]],
  ])("runs %j without a shell, as Linux would", (script, program, words) => {
    const text = stepLauncher({ ...command, shell: "none", script }, {});
    const quoted = [program, ...words].map(quoteForShell).join(" ");
    expect(text.split("\n").slice(1)).toEqual([
      `if ! [ -x ${quoteForShell(program)} ]; then echo ${quoteForShell(`forgeline: this image has no ${program}`)} >&2; exit 127; fi`,
      `exec ${quoted} "$3"`,
      "",
    ]);
  });

  it("refuses a step without a shell that names no program", () => {
    for (const script of ["echo", "#!python3", "\n#!/bin/sh"])
      expect(() => stepLauncher({ ...command, shell: "none", script }, {})).toThrow("does not begin with #!");
  });

  it("runs PowerShell where the image has it", () => {
    const text = stepLauncher({ ...command, shell: "pwsh", env: { UID: "5" } }, {});
    expect(text).toContain(`exec env UID='5' pwsh -NoProfile -NonInteractive -File "$3"\n`);
  });

  it.each(["", "A B", "1A", "A=B", "A;id", "$(id)", "é"])("refuses %j as a name", (name) => {
    expect(() => stepLauncher({ ...command, env: { [name]: "" } }, {})).toThrow("environment variable");
  });
});
