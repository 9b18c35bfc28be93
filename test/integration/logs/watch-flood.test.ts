/** Row 74 of security.md: whatever a viewer sends, it is closed with a reason before it costs anything. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@forgeline/server/platform/ids.ts";
import { pour, viewerFloods } from "../../hostile/frames.ts";
import { eventually } from "../../support/eventually.ts";
import { frameOf } from "../../support/log-frames.ts";
import { connectViewer, type TestViewer } from "../../support/log-viewer.ts";
import { insertRun, logFixture, openStreams, type LogFixture, type TestRun } from "./fixture.ts";
import { openConnectionReceiver, type WatchServer } from "./watch-socket-server.ts";

let fixture: LogFixture;
let server: ReturnType<LogFixture["server"]>;
let run: TestRun;
let streamId: string;
let watchServer: WatchServer;
beforeAll(async () => {
  fixture = await logFixture();
  server = fixture.server();
  run = await insertRun(fixture.db);
  streamId = (await openStreams(server, run))[0]?.id ?? "";
  watchServer = await openConnectionReceiver(server);
});
afterAll(async () => {
  await watchServer?.close();
  await fixture?.close();
});

async function watch(query = ""): Promise<TestViewer> {
  const viewer = connectViewer(`${watchServer.url}/?pipeline=${run.pipelineId}${query}`);
  await viewer.opened;
  return viewer;
}

const resume = (offsets: Record<string, number>) => JSON.stringify({ t: "resume", offsets });
const tooMany = { code: 4429, reason: "too many messages; a viewer can send one per second" };
const notUnderstood = { code: 4400, reason: "only resume messages are accepted" };
const malformed = new Set(["not JSON", "binary"]);
const invented = { code: 4400, reason: "this run does not have this log stream" };
const tooManyInvented = { code: 4400, reason: "more log streams were requested than this run has" };

function reasonsFor(kind: string) {
  if (malformed.has(kind)) return [notUnderstood];
  // One that sends slowly is looked up before it has sent too many messages.
  return kind.includes("invented") ? [tooMany, invented, tooManyInvented] : [tooMany];
}

describe("a viewer that floods", () => {
  it("is closed with a reason, whatever it sends", async () => {
    const ends = await Promise.all(
      Object.entries(viewerFloods(streamId)).map(async ([kind, flood]) => {
        const viewer = await watch();
        await eventually(() => viewer.messages.some(({ t }) => t === "stream"));
        return [kind, await pour(viewer.socket, flood, 1_000)] as const;
      }),
    );
    for (const [kind, { code, reason }] of ends)
      expect(reasonsFor(kind).map((end) => [kind, end])).toContainEqual([kind, { code, reason }]);
  });

  it.each(["", "&resume=1"])(
    "is closed at the first stream that the run does not have (%s)",
    async (query) => {
      const viewer = await watch(query);
      viewer.socket.send(resume({ [newId("log")]: 0 }));
      expect(await viewer.closed).toEqual(invented);
    },
  );

  it("is closed when it names more streams than any run has", async () => {
    const viewer = await watch();
    viewer.socket.send(resume(Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`l${n}`, 0]))));
    expect(await viewer.closed).toEqual(notUnderstood);
  });
});

it("lets go on at a stream of which this server has no news yet", async () => {
  const other = await insertRun(fixture.db);
  const viewer = connectViewer(`${watchServer.url}/?pipeline=${other.pipelineId}`);
  await eventually(() => viewer.messages.length > 0);
  const [fresh] = await openStreams(fixture.server(), other);
  const text = Buffer.from("one\ntwo\n");
  await server.logs.ingest.append(fresh?.id ?? "", frameOf(text, 0, text.length));
  viewer.socket.send(resume({ [fresh?.id ?? ""]: 4 }));
  await eventually(() => viewer.text(fresh?.id ?? "").toString() === "two\n");
  viewer.socket.terminate();
});
