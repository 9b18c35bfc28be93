import { describe, expect, it } from "vitest";
import { readCommand } from "@forgeline/server/git/ssh/command.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

describe("commands over SSH", () => {
  it.each([
    ["git-upload-pack '/ada/code.git'", "upload-pack", "ada", "code"],
    ["git-upload-pack 'ada/code'", "upload-pack", "ada", "code"],
    ["git upload-pack 'ada/code.git/'", "upload-pack", "ada", "code"],
    ["git-receive-pack ada/code.git", "receive-pack", "ada", "code"],
    ["git-upload-archive '/Ada/my.code'", "upload-archive", "Ada", "my.code"],
  ])("reads %s", (text, program, owner, name) => {
    expect(readCommand(text)).toEqual({ program, owner, name });
  });

  it.each([
    ["git-lfs-authenticate ada/code.git download", "download"],
    ["git-lfs-authenticate '/ada/code' upload", "upload"],
    [`git-lfs-authenticate ada/code upload ${"a".repeat(64)}`, "upload"],
  ])("reads %s", (text, operation) => {
    const repository = { owner: "ada", name: "code" };
    expect(readCommand(text)).toEqual({ program: "lfs-authenticate", ...repository, operation });
  });

  it.each([
    "",
    "git-shell",
    "git-upload-pack",
    "git-upload-pack ",
    "git-upload-pack  'ada/code'",
    "git-upload-pack 'ada/code' ",
    "git-upload-pack 'ada/code' 'x/y'",
    "git-upload-pack --strict 'ada/code'",
    "git-upload-pack 'ada/code'\n",
    "git-upload-pack 'ada\n/code'",
    "git-upload-pack 'ada/code",
    "git-upload-pack ada/code'",
    "git-upload-pack 'ada'/'code'",
    "git-upload-pack 'a'\\''da/code'",
    "git-upload-pack ''",
    "git-upload-pack '-ada/code'",
    "git-upload-pack 'ada/-code'",
    "git-upload-pack 'ada/..'",
    "git-upload-pack '../code'",
    "git-upload-pack '//ada/code'",
    "git-upload-pack 'ada//code'",
    "git-upload-pack 'ada/code.git.git'",
    "git-upload-pack 'ada/code.lock'",
    "git-upload-pack '~ada/code'",
    "git-upload-pack 'ada/code/info/lfs'",
    "git-upload-pack 'ada%2fcode'",
    "git-upload-pack 'ada/code\0'",
    "Git-Upload-Pack 'ada/code'",
    "git-lfs-authenticate ada/code",
    "git-lfs-authenticate ada/code steal",
    "git-lfs-authenticate ada/code download --help",
    "git-lfs-authenticate ada/code download upload",
    "git-lfs-authenticate 'ada/code download'",
    "git-lfs-authenticate ../code download",
    "git-lfs-transfer ada/code download",
    `git-upload-pack '${"a/".repeat(1000)}'`,
  ])("refuses %j", (text) => {
    expect(readCommand(text)).toHaveProperty("problem");
  });

  it("lets nothing through but the listed programs with two plain names", () => {
    const random = seededRandom(28);
    const signs = "' \" \\ / . - ~ $ ` ; & | < > ( ) ! * ? # = %".split(" ");
    const words = ["git-upload-pack ", "git receive-pack ", "git-upload-archive ", "git-lfs-authenticate "];
    const names = [
      "'ada/code'",
      "ada/code.git",
      "'\\''",
      "--",
      "..",
      "id",
      "é",
      "\u202e",
      "\n",
      "\t",
      "\0",
      " ",
    ];
    const parts = [...signs, ...words, ...names];
    for (let round = 0; round < 100_000; round++) {
      const count = 1 + Math.floor(random() * 5);
      const text = Array.from({ length: count }, () => parts[Math.floor(random() * parts.length)]).join("");
      const read = readCommand(text);
      if ("problem" in read) continue;
      const word = `${read.owner}/${read.name}`;
      expect(word).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*\/[A-Za-z0-9_][A-Za-z0-9._-]*$/);
      const path = text.slice(text.indexOf(read.program) + read.program.length + 1);
      expect([word, `${word}.git`]).toContain(path.replaceAll(/^'?\/?|\/?'?$/g, ""));
      expect(text).toMatch(/^git[- ](?:upload-pack|receive-pack|upload-archive) /);
    }
  });
});
