/**
 * Names of refs, paths and revisions that a program would take for an option, a shell for a command, or Git for another
 * expression, given to every operation over Git and SSH: no canary file comes to be, and no Git process gets such a word where it could
 * act on it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchOf, packOf, pushOf, sendGit } from "../../support/git-packets.ts";
import { corpus, isHarmless, startArgumentBed, withoutHarmless, type ArgumentBed } from "./bed.ts";

let bed: ArgumentBed;
beforeAll(async () => {
  bed = await startArgumentBed();
});
afterAll(() => bed?.close());

describe("over Git", () => {
  it("a push of such a ref, by hand so that no client helps, moves nothing", async () => {
    const since = await bed.starts();
    const before = await bed.client.git.ok(["ls-remote", bed.url]);
    const none = packOf([]);
    for (const text of corpus)
      for (const prefix of text.startsWith("--o") ? ["", "refs/heads/", "refs/tags/"] : ["refs/heads/"]) {
        const ref = `${prefix}${bed.withCanary(text)}`;
        const body = pushOf([{ ref, after: bed.head }], none);
        const answer = await sendGit(bed.server, {
          name: "ada/engine",
          service: "receive-pack",
          body,
          token: bed.ada.token,
        });
        if (isHarmless(ref)) continue;
        expect([ref, answer.text.includes(`ok ${ref}`), answer.text]).toEqual([ref, false, answer.text]);
      }
    expect(withoutHarmless(await bed.client.git.ok(["ls-remote", bed.url]))).toEqual(withoutHarmless(before));
    await bed.nothingHappened(since);
  });

  it("every operation works, and runs nothing, with refs that Git allows and a shell would run", async () => {
    const since = await bed.starts();
    for (const text of ["$(touch${IFS}%)", "`touch${IFS}%`", ";touch${IFS}%", "|touch${IFS}%"]) {
      const name = bed.withCanary(text).replaceAll("//", "/");
      await bed.client.git.ok(["push", "-q", bed.url, `main:refs/heads/${name}`], { cwd: bed.tree });
      const encoded = name.split("/").map(encodeURIComponent).join("/");
      for (const path of [
        `branches/${encoded}`,
        `contents?ref=${encodeURIComponent(name)}`,
        `tarball/${encoded}`,
      ]) {
        const { status } = await bed.server.api("GET", `/repos/ada/engine/${path}`, { token: bed.ada.token });
        expect([path, status]).toEqual([path, 200]);
      }
      await bed.client.git.ok(["fetch", "-q", bed.url, `refs/heads/${name}`], { cwd: bed.tree });
    }
    await bed.nothingHappened(since);
  });

  it("what a fetch wants, ends at, or says of itself reaches no command line", async () => {
    const since = await bed.starts();
    for (const text of corpus.slice(0, 12)) {
      const bad = bed.withCanary(text);
      const asked = [["deepen 1"], [`deepen-not ${bad}`], [`filter ${bad}`]];
      for (const [lines, version] of [
        ...asked.map((more) => [[`want ${bed.head}`, ...more], "version=2"] as const),
        [[`want ${bad}`], bad.replaceAll("\n", " ")] as const,
      ]) {
        const { status } = await sendGit(bed.server, {
          name: "ada/engine",
          service: "upload-pack",
          body: fetchOf(version === "version=2" ? 2 : 0, lines),
          token: bed.ada.token,
          headers: { "Git-Protocol": version },
        });
        expect([lines, status < 500]).toEqual([lines, true]);
      }
    }
    await bed.nothingHappened(since);
  });
});

describe("over SSH", () => {
  it("commands and arguments of git archive reach no command line", async () => {
    const since = await bed.starts();
    const key = await bed.client.keyOf(bed.ada);
    const words = [
      "--output=%",
      "--exec=touch${IFS}%",
      "--remote=ext::sh",
      "--add-file=%",
      "-o%",
      "--help",
      "$(touch${IFS}%)",
    ];
    for (const text of words) {
      const bad = bed.withCanary(text);
      for (const command of [
        `git-upload-pack '${bad}'`,
        `git-upload-archive ${bad} 'ada/engine'`,
        `git ${bad}`,
      ]) {
        const { code } = await bed.client.ssh(key, ["git@localhost", command], {}, Buffer.from("0000"));
        expect([command, code === 0]).toEqual([command, false]);
      }
      const argument = `argument ${bad}\n`;
      const input = Buffer.from(
        `${(argument.length + 4).toString(16).padStart(4, "0")}${argument}0012argument HEAD\n0000`,
      );
      const { stdout } = await bed.client.ssh(
        key,
        ["git@localhost", "git-upload-archive 'ada/engine'"],
        {},
        input,
      );
      expect([bad, stdout.includes("NACK")]).toEqual([bad, true]);
    }
    await bed.nothingHappened(since);
  });
});

it("the log of starts would show a bad word", async () => {
  const since = await bed.starts();
  const env = { PATH: `${bed.watched.path}:${process.env["PATH"]}` };
  await bed.client.git.run(["log", `--output=${bed.watched.canaries}/shown`], { cwd: bed.tree, env });
  await expect(bed.nothingHappened(since)).rejects.toThrow("deeply equal");
});
