import { describe, expect, it } from "vitest";
import { readCommand } from "@forgeline/server/edges/git-ssh/command.ts";
import { counted } from "../../../../support/counted.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";
import { seed, size } from "../../../../support/size.ts";
import { programs, randomCommands, spellings, withKnownObject } from "../../../../support/ssh-commands.ts";

const rounds = size(4_000, 1_000_000);
const isPlain = ({ owner, name }: { owner: string; name: string }) =>
  [owner, name].every((word) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(word));

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

  it(`lets nothing through but the spellings of the list (seed ${seed})`, (context) => {
    const commands = randomCommands(seededRandom(seed));
    const beyond: unknown[] = [];
    let taken = 0;
    for (let round = 0; round < rounds && beyond.length === 0; round++) {
      const text = commands.any();
      const read = readCommand(text);
      if ("problem" in read) continue;
      taken += 1;
      const isListed = (programs as readonly string[]).includes(read.program) && isPlain(read);
      if (!isListed || !spellings(read).includes(withKnownObject(text))) beyond.push({ text, read });
    }
    counted(context, { commands: rounds, taken, "beyond the list": beyond.length });
    expect(beyond).toEqual([]);
    expect(taken).toBeGreaterThan(rounds / 10);
  });

  it(`takes every spelling of the list for what it means (seed ${seed})`, () => {
    const commands = randomCommands(seededRandom(seed));
    for (let round = 0; round < rounds / 10; round++) {
      const { text, meaning } = commands.valid();
      expect(readCommand(text)).toEqual(meaning);
    }
  });
});
