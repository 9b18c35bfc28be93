/** What bounds a source that sends for ever, too much or too slowly, and one whose first sync breaks off. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { fetchRefs, type FetchLimits } from "@forgeline/server/platform/git/remote/fetch-refs.ts";
import { openRemote } from "@forgeline/server/platform/git/remote/open-remote.ts";
import {
  dropScratchRepository,
  enterScratchRepository,
} from "@forgeline/server/platform/git/remote/scratch-repository.ts";
import { readBed } from "../../../support/bed.ts";
import type { SourceAnswer } from "../../../support/git-source.ts";
import { startMirrorBed, type Mirrored, type MirrorBed } from "../../../support/mirror-bed.ts";
import { parseAddressRanges } from "@forgeline/server/platform/network/address-ranges.ts";
import { createOutbound } from "@forgeline/server/platform/outbound/outbound.ts";

let bed: MirrorBed;
let target: Mirrored;
let ca: string;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "mirror-limits" });
  target = await bed.repository();
  ca = await readFile((await readBed()).certificates.caFile, "utf8");
});
afterAll(() => bed?.close());
afterEach(() => {
  bed.source.answer = (_request, _response, usual) => usual();
});

const wide: FetchLimits = { maxBytes: 1 << 30, windowMs: 60_000, minBytes: 1, wholeMs: 60_000 };

/** A fetch of `main` into a scratch repository, with these limits; the bytes that were reported. */
async function fetchWith(url: string, limits: Partial<FetchLimits>): Promise<number> {
  const { git } = bed.server.container.platform;
  const outbound = createOutbound({
    allowed: parseAddressRanges("127.0.0.1").ranges,
    extraCa: ca,
    logger: { warn: () => undefined },
  });
  const source = { protocol: "https", url, host: "localhost", port: bed.source.port } as const;
  const remote = await openRemote(outbound, {
    source,
    login: { basic: null, privateKey: null, hostKey: null },
    use: "fetch",
  });
  const scratch = await enterScratchRepository(git, target.directory, "limits");
  if (!scratch) throw new Error("somebody has it");
  let seen = 0;
  const watch = {
    signal: new AbortController().signal,
    limits: { ...wide, ...limits },
    onProgress: ({ bytes }: { bytes: number }) => void (seen = Math.max(seen, bytes)),
  };
  try {
    await fetchRefs(git.start, remote, { scratch, refs: ["refs/heads/main"], watch });
    return seen;
  } finally {
    await scratch.leave({ keep: false });
    await remote.close();
  }
}

/** Passes on so many bytes of the pack a second. */
const slowly =
  (bytesAtOnce: number): SourceAnswer =>
  (request, response, usual) => {
    if (request.method !== "POST") return usual();
    const write = response.write.bind(response);
    const end = response.end.bind(response);
    const kept: Buffer[] = [];
    response.write = ((chunk: Buffer) => kept.push(chunk) > 0) as typeof response.write;
    response.end = (() => {
      const all = Buffer.concat(kept);
      let at = 0;
      const timer = setInterval(() => {
        write(all.subarray(at, (at += bytesAtOnce)));
        if (at < all.length) return;
        clearInterval(timer);
        end();
      }, 100);
      response.on("close", () => clearInterval(timer));
    }) as typeof response.end;
    usual();
  };

test("a source that is too large, too slow or takes too long is ended", async () => {
  const source = await bed.source.create("large");
  await source.commit("main", { "a.bin": randomBytes(2_000_000).toString("hex") });
  await expect(fetchWith(source.url, { maxBytes: 500_000 })).rejects.toMatchObject({ reason: "too_large" });
  bed.source.answer = slowly(100);
  await expect(fetchWith(source.url, { windowMs: 2_000, minBytes: 1_000_000 })).rejects.toMatchObject({
    reason: "too_slow",
  });
  await expect(fetchWith(source.url, { wholeMs: 2_000 })).rejects.toMatchObject({ reason: "too_slow" });
  bed.source.answer = (_request, _response, usual) => usual();
  expect(await fetchWith(source.url, {})).toBeGreaterThanOrEqual(0);
});

test("only one has the scratch repository, and what a dead process left is removed", async () => {
  const { git } = bed.server.container.platform;
  const first = await enterScratchRepository(git, target.directory, "shared");
  expect(await enterScratchRepository(git, target.directory, "shared")).toBeUndefined();
  await dropScratchRepository(target.directory, "shared");
  expect(await first?.receivedBytes()).toBe(0);
  await first?.leave({ keep: true });
  const again = await enterScratchRepository(git, target.directory, "shared");
  await again?.leave({ keep: true });
  await dropScratchRepository(target.directory, "shared");
  await dropScratchRepository(target.directory, "shared");
  const whole = await enterScratchRepository(git, target.directory, "shared");
  expect(await whole?.fetched()).toEqual(new Map());
  await whole?.leave({ keep: false });
});

test("a first sync of very many refs that breaks off goes on with the part that has come", async () => {
  const source = await bed.source.create("parts");
  const tip = await source.commit("main", { "a.bin": randomBytes(300_000).toString("hex") });
  const refs = Array.from({ length: 1_200 }, (_, index) => `create refs/heads/many/${index} ${tip}\n`).join(
    "",
  );
  await source.updateRefs(refs);
  let posts = 0;
  bed.source.answer = (request, response, usual) => {
    if (request.method === "POST" && request.url?.endsWith("git-upload-pack") && ++posts > 3)
      response.socket?.destroy();
    else usual();
  };
  const mirror = await bed.mirror(source);
  const first = await mirror.ended();
  expect(first).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/broke off|could not be reached/),
  });
  expect(await mirror.refs()).toEqual([]);
  bed.source.answer = (_request, _response, usual) => usual();
  const second = await mirror.sync();
  expect(second).toMatchObject({ status: "succeeded", changed_refs: 1_201 });
  // The large file came with the first part.
  expect(second.bytes).toBeLessThan(100_000);
  expect(await mirror.refs()).toEqual(await source.refs());
});
