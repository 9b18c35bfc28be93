/** The runner protocol as bytes: what both sides must read alike, and that no bytes break a reader. */
import { expect, test } from "vitest";
import { decodeLogFrame, encodeLogFrame, maxLogFrameBytes } from "@forgeline/schemas/logs/frame.ts";
import { RunnerMessage, ServerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import { closeCodes, runnerSubprotocol } from "@forgeline/schemas/runner-protocol/version.ts";

const lease = { attemptId: "att_1", epoch: 2 };

/** As they stand on the wire; a change here breaks runners that are installed. */
const fromRunner: Record<string, object> = {
  hello: {
    protocols: [1],
    version: "1.0.0",
    instanceId: "i",
    labels: ["docker"],
    capacity: 2,
    os: "linux",
    arch: "x64",
    hostname: "h",
    clockMs: 1,
    draining: false,
    images: ["busybox"],
    leases: [{ ...lease, state: "running", streams: { log_1: { from: 0, end: 9 } } }],
  },
  heartbeat: { load: 0.1, freeDiskBytes: 1, freeSlots: 0, leases: [lease] },
  offer_answer: { ...lease, accept: false, reject: "full" },
  started: { ...lease, timeMs: 1 },
  kept: { ...lease, forMs: 3_600_000 },
  step_started: { ...lease, position: 0, name: "build", timeMs: 1 },
  step_ended: {
    ...lease,
    step: {
      position: 0,
      status: "failed",
      reason: "exit:1",
      message: "m",
      exitCode: 1,
      startedAtMs: 1,
      finishedAtMs: 2,
    },
  },
  log_eof: {
    ...lease,
    streamId: "log_1",
    bytes: 9,
    lines: 1,
    sha256: "00",
    droppedBytes: 0,
    droppedLines: 0,
  },
  done: {
    ...lease,
    result: {
      status: "success",
      reason: null,
      message: null,
      exitCode: 0,
      outputs: { k: "v" },
      steps: [],
      warnings: [],
    },
  },
  revoked: lease,
  drain: { draining: true },
  ack: {},
  nack: { code: "internal", message: "m" },
};

const fromServer: Record<string, object> = {
  welcome: {
    protocol: 1,
    runnerId: "rnr_1",
    heartbeatMs: 10_000,
    reclaimMs: 90_000,
    windowBytesPerStream: 1,
    windowBytes: 8,
    leases: [{ ...lease, keep: false, spec: null, streams: [] }],
  },
  heartbeat_ack: { serverTimeMs: 1 },
  offer: { ...lease, repositoryId: "repo_1", image: "busybox", labels: [], deadlineMs: 10_000 },
  cancel: { ...lease, reason: "user:ada", message: "m", status: "cancelled", graceMs: 10_000, force: false },
  open_shell: { ...lease, shellId: "shell_1", columns: 80, rows: 24 },
  keep_open: { ...lease, ms: null },
  revoke: lease,
  drain: { draining: true, deadlineMs: null },
  bye: { reconnectAfterMs: 5 },
  ack: {},
  nack: { code: "logs_missing", message: "m", missing: { log_1: 4 } },
};

test.each(Object.entries(fromRunner))("runner's %s", (t, body) => {
  const message = { t, id: 1, ...body };
  expect(RunnerMessage.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
  expect(RunnerMessage.safeParse({ ...message, id: 0 }).success).toBe(false);
});

test.each(Object.entries(fromServer))("server's %s", (t, body) => {
  const message = { t, id: 1, ...body };
  expect(ServerMessage.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
});

test("every kind of message has its frame here", () => {
  const kinds = (schema: typeof RunnerMessage | typeof ServerMessage) =>
    schema.options.map((option) => option.shape.t.value).sort();
  expect(kinds(RunnerMessage)).toEqual(Object.keys(fromRunner).sort());
  // A lease holds a whole spec and is proved over a real socket; the others carry no number.
  const elsewhere = ["lease", "log_ack", "log_nack", "window"];
  expect(kinds(ServerMessage)).toEqual([...Object.keys(fromServer), ...elsewhere].sort());
});

test("names and codes that installed runners know", () => {
  expect(runnerSubprotocol).toBe("svc-runner.v1");
  expect(Object.values(closeCodes)).toEqual([4400, 4401, 4403, 4406, 4408, 4409, 4429, 4430, 4503]);
});

const frame = {
  channel: 7,
  offset: 2 ** 40,
  firstLine: 3,
  rawLength: 4,
  compressed: false,
  timeRuns: [{ lines: 1, timeMs: 1.5 }],
  payload: Buffer.from("abc\n"),
};

test("a log frame's bytes", () => {
  expect(Buffer.from(encodeLogFrame(frame)).toString("hex")).toBe(
    "0100000000070000010000000000" +
      "0000000000000003" +
      "0000000400000001" +
      "000000013ff8000000000000" +
      "6162630a",
  );
  expect(decodeLogFrame(encodeLogFrame(frame))).toEqual({ ...frame, payload: expect.anything() });
});

/** The raw length of a frame; -1 when it is refused as it should be. */
function readOrRefuse(bytes: Uint8Array): number {
  try {
    return decodeLogFrame(bytes).rawLength;
  } catch (error) {
    if (error instanceof RangeError) return -1;
    throw error;
  }
}

test("any bytes are a frame or a RangeError", () => {
  const good = encodeLogFrame(frame);
  for (let length = 0; length < good.length - frame.payload.length; length++)
    expect(() => decodeLogFrame(good.subarray(0, length))).toThrow(RangeError);
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) & 255;
  for (let round = 0; round < 3_000; round++) {
    const bytes = Uint8Array.from({ length: random() }, random);
    if (bytes.length > 0 && round % 2 === 0) bytes[0] = 1;
    expect(readOrRefuse(bytes)).toBeLessThanOrEqual(maxLogFrameBytes);
  }
});
