import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { attacks, chosenOf } from "../../../../scripts/hostile/attacks.ts";

const root = join(import.meta.dirname, "../../../..");
const namesOf = (only: string | undefined) => chosenOf(attacks, only).map(({ name }) => name);

describe("attacks at full size", () => {
  it("are files that are there, each under a name of its own", () => {
    expect(attacks.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
  });

  it("are chosen by their name or a word of it, in the order of the list", () => {
    expect(namesOf(undefined)).toEqual(attacks.map(({ name }) => name));
    expect(namesOf("socket-flood,42")).toEqual(["42-exhaustion", "42-hidden-disk", "socket-flood"]);
    expect(namesOf("81")).toEqual(["72-81-files"]);
    expect(namesOf("12")).toEqual(["12-commands", "12-ssh"]);
  });

  it("are not left out by a word that means none", () => {
    expect(() => namesOf("42,4")).toThrow(/no 4; there are 12-commands, /);
  });
});
