/** `forgeline pipeline lint`, which asks no server. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine, type CommandLine } from "../../support/command-line.ts";

let cli: CommandLine;
const connected = { FORGELINE_URL: "https://forge.example", FORGELINE_TOKEN: "fgl_none" };

beforeAll(async () => {
  cli = await commandLine({});
});
afterAll(() => cli.remove());

describe("pipeline lint, without any server", () => {
  it("passes a good file", async () => {
    await writeFile(join(cli.home, ".forgeline.yml"), "image: a\nsteps: [make]\n");
    const { code, stdout } = await cli.run(["pipeline", "lint"], { env: { HOME: "/nonexistent" } });
    expect(stdout).toContain("✓ .forgeline.yml: 1 stage, 1 job");
    expect(code).toBe(0);
  });

  it("shows place and hint of an error, and exits 1", async () => {
    await writeFile(join(cli.home, "bad.yml"), "image: a\nstep: [make]\n");
    const { code, stdout } = await cli.run(["pipeline", "lint", "bad.yml"], {
      env: { HOME: "/nonexistent" },
    });
    expect(stdout).toMatch(/bad\.yml:2:1/);
    expect(stdout).toMatch(/steps/);
    expect(stdout).toMatch(/= help: https:\/\/localhost:8443\/docs\/pipelines\/errors#/);
    expect(code).toBe(1);
    const connectedToo = await cli.run(["pipeline", "lint", "bad.yml"], { env: connected });
    expect(connectedToo.stdout).toContain("= help: https://forge.example/docs/");
  });

  it("paints nothing into the pipe of a CI job", async () => {
    const env = { HOME: "/nonexistent", CI: "true", TERM: "xterm-256color" };
    await writeFile(join(cli.home, "good.yml"), "image: a\nsteps: [make]\n");
    const good = await cli.run(["pipeline", "lint", "good.yml"], { env });
    expect([good.stdout, good.stderr]).toEqual(["✓ good.yml: 1 stage, 1 job\n", ""]);
    const absent = await cli.run(["pipeline", "lint", "absent.yml"], { env });
    expect(absent.stderr).toBe("error: cannot read absent.yml\n");
    const forced = await cli.run(["pipeline", "lint", "good.yml"], { env: { ...env, FORCE_COLOR: "1" } });
    expect(forced.stdout).toContain("\u001b[32m✓");
  });

  it("reads templates of the checkout, and says of others that it did not", async () => {
    const using = (uses: string) => `image: a\nsteps: [{ uses: ${uses} }]\n`;
    await writeFile(join(cli.home, "uses.yml"), using("./t.yml"));
    const lint = () => cli.run(["pipeline", "lint", "uses.yml"], { env: { HOME: "/nonexistent" } });
    expect((await lint()).stdout).toContain("uses.yml:2:17: error[P502]: t.yml cannot be read");
    await writeFile(join(cli.home, "t.yml"), "steps: [{ run: x, idd: y }]\n");
    const broken = await lint();
    expect(broken.stdout).toMatch(/^t\.yml:1:19: error\[P101\]/);
    expect(broken.stdout).toContain("= used by uses.yml:2:17");
    expect(broken.code).toBe(1);
    await writeFile(join(cli.home, "t.yml"), "steps: [x]\n");
    expect((await lint()).stdout).toBe("✓ uses.yml: 1 stage, 1 job\n");
    await writeFile(join(cli.home, "uses.yml"), using("acme/ci//t.yml@v1"));
    const other = await lint();
    expect(other.stdout).toContain("warning[W907]: the template acme/ci//t.yml@v1 is on the server");
    expect(other.code).toBe(0);
    const planned = await cli.run(["pipeline", "plan", "--file", "uses.yml"], {
      env: { HOME: "/nonexistent" },
    });
    expect(planned.stdout).toMatch(/^acme\/ci\/\/t\.yml@v1/m);
  });

  it("checks all files of the project, or those that are meant by names", async () => {
    const project = join(cli.home, "project");
    const folder = join(project, ".forgeline");
    await mkdir(join(folder, "templates"), { recursive: true });
    await writeFile(join(folder, "main.yml"), "image: a\nsteps: [make]\n");
    await writeFile(join(folder, "nightly.yaml"), "image: a\nstep: [make]\n");
    await writeFile(join(folder, "templates/t.yml"), "steps: [x]\n");
    const lint = (args: string[], input = "") =>
      cli.run(["pipeline", "lint", ...args], { cwd: project, env: { HOME: "/nonexistent" }, input });
    const all = await lint([]);
    expect(all.stdout).toContain("✓ .forgeline/main.yml: 1 stage, 1 job\n");
    expect(all.stdout).toMatch(/nightly\.yaml:2:1: error[^]*✗ \.forgeline\/nightly\.yaml: \d error/);
    expect(all.stdout).not.toContain("templates");
    expect(all.code).toBe(1);
    const named = await lint([".", ".forgeline", "main", ".forgeline/main.yml"]);
    expect(named.stdout).toBe(all.stdout);
    const piped = await lint(["main", "-", "--json"], "image: a\n");
    expect(JSON.parse(piped.stdout)).toMatchObject([{ file: "<stdin>", severity: "error" }]);
    const wrong = await lint(["nigthly"]);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      "error: no pipeline is named nigthly. Pipelines here: .forgeline/main.yml, .forgeline/nightly.yaml.\n",
    ]);
    await writeFile(join(project, ".forgeline.yml"), "image: a\nsteps: [make]\n");
    const both = await lint([]);
    expect(both.stdout).toContain("error[P114]: .forgeline.yml and .forgeline/main.yml both exist");
    expect(both.code).toBe(1);
  });

  it("exits 2 when there is no such file", async () => {
    const { code, stderr } = await cli.run(["pipeline", "lint", "absent.yml"]);
    expect(stderr).toBe("error: cannot read absent.yml\n");
    expect(code).toBe(2);
  });
});
