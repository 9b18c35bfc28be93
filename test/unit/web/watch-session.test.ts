import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { encodeLogFrame } from "@forgeline/client/generated/log-frame.ts";
import { followWatch, WatchRefusedError, type WatchConnection } from "@forgeline/client/watch-session.ts";

const opened = JSON.stringify({
  t: "stream",
  channel: 7,
  stream_id: "log_1",
  kind: "step",
  stage: "main",
  job: "build",
  job_id: "job_1",
  attempt: 1,
  step: 0,
  name: "compile",
  offset: 0,
});
const end = JSON.stringify({ t: "end", status: "success", reason: null });

function frame(offset: number, text: string): Uint8Array {
  const payload = new TextEncoder().encode(text);
  return encodeLogFrame({
    channel: 7,
    offset,
    firstLine: 0,
    rawLength: payload.length,
    compressed: false,
    timeRuns: [],
    payload,
  });
}

describe("following a run", () => {
  it("hands each byte over once, over connections that are cut and frames that come again", async () => {
    const connections: ((connection: WatchConnection) => void)[] = [
      (connection) => {
        expect(JSON.parse(connection.greeting())).toEqual({ t: "resume", offsets: { log_1: 2 } });
        connection.text(opened);
        connection.bytes(frame(0, "abcd"));
      },
      (connection) => {
        expect(JSON.parse(connection.greeting())).toEqual({ t: "resume", offsets: { log_1: 4 } });
        // Its channel is not announced yet.
        connection.bytes(frame(4, "??"));
        connection.text(opened);
        connection.bytes(frame(2, "cdef"));
        connection.bytes(frame(2, "cdef"));
        connection.text(JSON.stringify({ t: "eof", channel: 7, bytes: 6, lines: 1, complete: true }));
        connection.text(end);
      },
    ];
    const seen: string[] = [];
    const result = await followWatch(
      async (connection) => {
        connections.shift()?.(connection);
        return connection.closed(1006, "", "cut");
      },
      {
        onStream: (stream) => seen.push(`stream ${stream.id}`),
        onBytes: (_stream, bytes, { offset }) => seen.push(`${offset} ${new TextDecoder().decode(bytes)}`),
        onStreamEnd: (_stream, { bytes }) => seen.push(`eof ${bytes}`),
        onReconnect: (_delay, why) => seen.push(why),
      },
      { have: new Map([["log_1", 2]]) },
    );
    expect(result).toEqual({ status: "success", reason: null });
    expect(seen).toEqual(["stream log_1", "2 cd", "cut", "4 ef", "eof 6"]);
  });

  it("inflates compressed frames before it counts their bytes", async () => {
    const text = "line\n".repeat(1000);
    const payload = zstdCompressSync(text);
    const seen: string[] = [];
    await followWatch(
      async (connection) => {
        connection.text(opened);
        const about = { channel: 7, firstLine: 0, rawLength: text.length, compressed: true, timeRuns: [] };
        connection.bytes(encodeLogFrame({ ...about, offset: 0, payload }));
        connection.bytes(frame(text.length, "end"));
        connection.text(end);
        return connection.closed(1000, "", "");
      },
      { onBytes: (_stream, bytes, { offset }) => seen.push(`${offset} ${new TextDecoder().decode(bytes)}`) },
      { inflate: (compressed) => zstdDecompressSync(compressed) },
    );
    expect(seen).toEqual([`0 ${text}`, "5000 end"]);
  });

  it("waits as long as a server asks that has no room, and says why", async () => {
    const busy = JSON.stringify({ t: "busy", message: "You have 2 logs open.", retry_after: 1 });
    const tries = [busy, end];
    const seen: unknown[] = [];
    const result = await followWatch(
      async (connection) => {
        connection.text(tries.shift() ?? "");
        return connection.closed(4430, "too many logs are open", "cut");
      },
      {
        onReconnect: () => seen.push("reconnect"),
        onBusy: (delayMs, why) => seen.push(why, delayMs >= 1_000 && delayMs <= 1_250),
      },
    );
    expect(result.status).toBe("success");
    expect(seen).toEqual(["You have 2 logs open.", true]);
  });

  it("ends for good when the server refuses, and when nobody wants it any more", async () => {
    for (const code of [4400, 4401, 4403]) {
      const refused = followWatch(async (connection) => connection.closed(code, "not for you", ""), {});
      await expect(refused).rejects.toThrow(WatchRefusedError);
    }
    const controller = new AbortController();
    const given = followWatch(
      async (connection) => {
        setTimeout(() => controller.abort(), 5);
        return connection.closed(1006, "", "cut");
      },
      {},
      { signal: controller.signal },
    );
    await expect(given).rejects.toThrow("abort");
  });
});
