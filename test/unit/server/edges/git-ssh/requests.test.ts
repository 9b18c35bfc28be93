import { describe, expect, it } from "vitest";
import {
  candidateRefs,
  packet,
  readArguments,
  splitArguments,
  writeArguments,
} from "@forgeline/server/edges/git-ssh/archive-arguments.ts";
import { maxPackets } from "@forgeline/server/platform/git/transfer/packet-lines.ts";
import { createRequestMemory } from "@forgeline/server/platform/git/processes/request-memory.ts";
import { createMetrics } from "@forgeline/server/platform/metrics.ts";
import { createPacketRequests } from "@forgeline/server/edges/git-ssh/packet-requests.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";

const requestMemory = createRequestMemory(createMetrics());
const room = (maxBytes?: number) => requestMemory({ user: "somebody" }, maxBytes);
const line = (text: string) => packet(text).toString();

describe("requests in a stream of packets", () => {
  const stream = Buffer.from(`${line("command=ls-refs\n")}0001${line("peel\n")}0000${line("want x\n")}0000`);

  it("are the same however the stream is cut", () => {
    const random = seededRandom(1);
    for (let round = 0; round < 200; round++) {
      const reader = createPacketRequests(room());
      const found: string[] = [];
      for (let at = 0; at < stream.length;) {
        const end = Math.min(stream.length, at + 1 + Math.floor(random() * 9));
        found.push(...reader.push(stream.subarray(at, end)).map(String));
        at = end;
      }
      expect(found).toEqual([
        `${line("command=ls-refs\n")}0001${line("peel\n")}0000`,
        `${line("want x\n")}0000`,
      ]);
      expect(reader.rest().length).toBe(0);
    }
  });

  it("are refused when they are none, or too large", () => {
    for (const text of ["zzzz", "-001", "0003", "0x10", "+001"])
      expect(() => createPacketRequests(room()).push(Buffer.from(text))).toThrow("not Git's protocol");
    const reader = createPacketRequests(room(100));
    reader.push(Buffer.from(line("a".repeat(80))));
    expect(() => reader.push(Buffer.from(line("b".repeat(80))))).toThrow("too large");
  });

  it("have as many packets as anybody needs, each for itself", () => {
    const max = Buffer.from("0004".repeat(maxPackets - 1));
    const reader = createPacketRequests(room());
    for (let round = 0; round < 2; round++)
      expect(reader.push(Buffer.concat([max, Buffer.from("0000")]))).toHaveLength(1);
    reader.push(max);
    expect(() => reader.push(Buffer.from("00040000"))).toThrow("too many packets");
  });

  it("are copied out of their pieces, so that a small one keeps nothing larger", () => {
    const reader = createPacketRequests(room());
    const found: Buffer[] = [];
    for (const byte of Buffer.concat([stream, stream])) {
      const piece = Buffer.of(byte);
      found.push(...reader.push(piece));
      piece.fill(0);
    }
    expect(Buffer.concat(found)).toEqual(Buffer.concat([stream, stream]));
    reader.push(Buffer.from("0008wa"));
    expect(String(reader.rest())).toBe("0008wa");
  });
});

describe("arguments of git archive", () => {
  const split = (...words: string[]) => splitArguments(readArguments(writeArguments(words)));

  it("are told apart into options, the tree and paths", () => {
    expect(split("--format", "zip", "--prefix=a/", "main:docs", "x", "-9")).toEqual({
      before: ["--format=zip", "--prefix=a/"],
      tree: { name: "main", path: ":docs" },
      after: ["x", "-9"],
    });
    expect(split("-l").tree).toBeUndefined();
    expect(split("--", "main", "-x")).toMatchObject({ tree: { name: "main" }, after: ["-x"] });
    expect(split("--", "-x")).toMatchObject({ tree: { name: "-x" } });
  });

  it.each([
    "--output=x",
    "-o",
    "--remote=x",
    "--exec=x",
    "--add-file=/etc/passwd",
    "--format=x",
    "--prefi=x",
    "-9v",
  ])("refuse %s", (option) => expect(() => split(option, "main")).toThrow("not supported"));

  it("stand for branches and tags only", () => {
    expect(candidateRefs("v1")).toEqual(["refs/tags/v1", "refs/heads/v1"]);
    expect(candidateRefs("refs/heads/a/b")).toEqual(["refs/heads/a/b"]);
    for (const name of ["refs/internal/x", "refs/heads/../internal/x", "a..b", "a^{tree}", "", "refs/heads/"])
      expect(candidateRefs(name), name).toEqual([]);
  });
});
