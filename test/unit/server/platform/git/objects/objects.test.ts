import { describe, expect, it } from "vitest";
import { parseCommit } from "@forgeline/server/platform/git/objects/commit.ts";
import { parseTree } from "@forgeline/server/platform/git/objects/tree.ts";

const id = "0123456789abcdef0123456789abcdef01234567";

describe("parseTree", () => {
  const entry = (mode: string, name: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]);

  it("tells files, directories, links and submodules", () => {
    const bytes = Buffer.concat([
      entry("100644", "a file"),
      entry("100755", "run"),
      entry("40000", "dir"),
      entry("120000", "link"),
      entry("160000", "sub"),
    ]);
    expect(parseTree(bytes).map((e) => [e.name, e.type, e.executable, e.oid])).toEqual([
      ["a file", "file", false, id],
      ["run", "file", true, id],
      ["dir", "directory", false, id],
      ["link", "symlink", false, id],
      ["sub", "submodule", false, id],
    ]);
  });

  it("refuses one that is cut off", () => {
    expect(() => parseTree(entry("100644", "a").subarray(0, -1))).toThrow("cut off");
  });
});

describe("parseCommit", () => {
  it("reads people, parents and message", () => {
    const text = `tree ${id}\nparent ${id}\nauthor Ada L <ada@x.org> 1767225600 +0100\ncommitter B <b@x> 1767225601 +0000\n\nsubject\n\nbody\n`;
    expect(parseCommit(id, Buffer.from(text))).toEqual({
      sha: id,
      tree: id,
      message: "subject\n\nbody\n",
      author: { name: "Ada L", email: "ada@x.org", date: "2026-01-01T00:00:00.000Z" },
      committer: { name: "B", email: "b@x", date: "2026-01-01T00:00:01.000Z" },
      parents: [id],
    });
  });

  it("decodes the encoding that the commit names, and survives one that nobody knows", () => {
    const latin = Buffer.from(
      `tree ${id}\nauthor J\u00fcrgen <j@x> 0 +0000\nencoding iso-8859-1\n\n\u00e4\n`,
      "latin1",
    );
    expect(parseCommit(id, latin)).toMatchObject({ message: "ä\n", author: { name: "Jürgen" } });
    expect(parseCommit(id, Buffer.from(`tree ${id}\nencoding nonsense\n\nx`)).message).toBe("x");
  });

  it("finds no parent in the message, and takes nonsense for people", () => {
    const odd = parseCommit(
      id,
      Buffer.from(`tree ${id}\nauthor nobody\ncommitter <> 99999999999999999\n\nparent ${id}\n`),
    );
    expect(odd.parents).toEqual([]);
    expect(odd.author.date).toBe("1970-01-01T00:00:00.000Z");
    expect(odd.committer.date).toBe("1970-01-01T00:00:00.000Z");
  });
});
