/** Row 12 of security.md over SSH itself: made-up commands over real SSH, and every start of Git that came of them. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Client, type ClientChannel } from "ssh2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { counted } from "../support/counted.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { seed, size } from "../support/size.ts";
import { randomCommands, spellings, withKnownObject, type Meaning } from "../support/ssh-commands.ts";
import { startArgumentBed, type ArgumentBed } from "./argument-injection/bed.ts";

const commands = size(250, 100_000);
const connections = 4;
/** Side by side on each connection: an answer waits for its packets, not for the machine. */
const channels = 8;

let bed: ArgumentBed;
const clients: Client[] = [];
beforeAll(async () => {
  bed = await startArgumentBed();
  const { server, client, ada } = bed;
  for (const name of ["code", "my.code"])
    await server.api("POST", "/repos", { token: ada.token, body: { name, readme: true } });
  const key = await client.keyOf(ada);
  const privateKey = await readFile(key.file, "utf8");
  for (let n = 0; n < connections; n += 1) {
    const raw = new Client();
    raw.connect({ host: "127.0.0.1", port: server.sshPort, username: "git", privateKey });
    await once(raw, "ready");
    clients.push(raw);
  }
});
afterAll(async () => {
  for (const client of clients) client.end();
  await bed?.close();
});

interface Answer {
  code: number | null;
  stdout: string;
}

/** A client that says nothing more after its command. */
async function say(client: Client, command: string): Promise<Answer> {
  const channel = await new Promise<ClientChannel>((resolve, reject) =>
    client.exec(command, (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  let [stdout, code] = ["", null as number | null];
  channel.on("data", (chunk: Buffer) => (stdout += chunk.toString("latin1")));
  channel.on("exit", (status: number | null) => (code = status));
  channel.stderr.resume();
  channel.end();
  await once(channel, "close");
  return { code, stdout };
}

const existing = ["code", "my.code"].map((name) => ({ owner: "ada", name }));
const served = new Map<string, Meaning["program"]>(
  existing.flatMap((repository) => [
    ...(["upload-pack", "receive-pack", "upload-archive"] as const).flatMap((program) =>
      spellings({ ...repository, program }).map((text) => [text, program] as const),
    ),
    ...(["download", "upload"] as const).flatMap((operation) =>
      spellings({ ...repository, program: "lfs-authenticate", operation }).map(
        (text) => [text, "lfs-authenticate"] as const,
      ),
    ),
  ]),
);

/** Those that start Git at once. An archive is made once the client has said of what, which it does not do here. */
const exchanges = new Set<string | undefined>(["upload-pack", "receive-pack"]);

test(`commands beyond the list reach nothing (seed ${seed})`, async (context) => {
  const random = randomCommands(seededRandom(seed));
  const texts = Array.from({ length: commands }, () => random.any());
  const before = await bed.starts();
  let [refused, at] = [0, 0];
  const wrong: unknown[] = [];
  const speak = async (client: Client) => {
    for (let text = texts[at++]; text !== undefined; text = texts[at++]) {
      const program = served.get(withKnownObject(text));
      const { code, stdout } = await say(client, text);
      if (program === undefined) refused += 1;
      const isRefused = code !== 0 && stdout === "";
      if (isRefused !== (program === undefined) && !(program === "upload-archive" && code !== 0))
        wrong.push({ text, code, stdout: stdout.slice(0, 200) });
    }
  };
  await Promise.all(clients.flatMap((client) => Array.from({ length: channels }, () => speak(client))));
  expect(wrong).toEqual([]);
  const starts = (await bed.watched.starts()).slice(before).flat();
  const asked = texts.filter((text) => exchanges.has(served.get(text))).length;
  const started = starts.filter((word) => exchanges.has(word)).length;
  expect(starts).not.toContain("upload-archive");
  counted(context, {
    "commands over SSH": commands,
    refused,
    "starts of Git beyond the list": started - asked,
  });
  expect(started).toBe(asked);
  await bed.nothingHappened(before);
});
