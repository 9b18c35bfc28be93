/** A process of its own that pours one kind of packet into a server's SSH port, over new connections as often as it is let in. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "ssh2";
import { openRawSession, packets, rekey, sendPacket, socketOf } from "../support/ssh-packets.ts";

export type SshFlood = keyof typeof floods;

export interface SshTask {
  kind: SshFlood;
  port: number;
  privateKey: string;
  connections: number;
  milliseconds: number;
}

export interface SshPoured {
  /** Packets, commands or connections, by the kind. */
  sent: number;
  /** Connections that came about. */
  connections: number;
}

/** What one connection does for as long as it is open; counts what it sends. */
interface Flood {
  logsIn: boolean;
  pour(client: Client, sent: () => void, isOver: () => boolean): Promise<void>;
}

/** Who is not let in tries again so soon. */
const impatienceMs = 20;
const atOnce = 200;

/** The same packet again and again. */
function repeated(logsIn: boolean, packet: Buffer, prepare?: (client: Client) => Promise<void>): Flood {
  return {
    logsIn,
    async pour(client, sent, isOver) {
      await prepare?.(client);
      while (!isOver()) {
        for (let n = 0; n < atOnce; n++) {
          sendPacket(client, packet);
          sent();
        }
        const socket = socketOf(client);
        if (socket.writableLength > 256 * 1024) await Promise.race([once(socket, "drain"), pause(100)]);
        else await pause(0);
      }
    },
  };
}

const receivePack = (client: Client) => openRawSession(client, "git-receive-pack 'ada/code'");

const floods = {
  "one byte of data": repeated(true, packets.data(0, Buffer.from("x")), receivePack),
  "wider windows": repeated(true, packets.windowAdjust(0, 1), receivePack),
  "channels that are refused": repeated(true, packets.channelOpen("none")),
  "global requests": repeated(true, packets.globalRequest("none", true)),
  "ignored messages": repeated(true, packets.ignore),
  "ignored messages before a login": repeated(false, packets.ignore),
  "messages of no kind before a login": repeated(false, Buffer.from([200])),
  "new keys": {
    logsIn: true,
    async pour(client, sent, isOver) {
      while (!isOver()) {
        await Promise.race([rekey(client), pause(200)]);
        sent();
      }
    },
  },
  "commands of no kind": {
    logsIn: true,
    async pour(client, sent, isOver) {
      const say = () =>
        new Promise<void>((resolve) =>
          client.exec("nonsense", (error, channel) => {
            if (error) return setImmediate(resolve);
            channel.resume().on("close", () => resolve());
          }),
        );
      const one = async () => {
        for (; !isOver(); sent()) await Promise.race([say(), pause(500)]);
      };
      await Promise.all(Array.from({ length: 8 }, one));
    },
  },
  "key exchanges of strangers": {
    logsIn: false,
    pour(_client, sent) {
      sent();
      return Promise.resolve();
    },
  },
} satisfies Record<string, Flood>;

export const sshFloods = Object.keys(floods) as SshFlood[];

export function startSshPourer(task: SshTask): Promise<SshPoured> {
  const child = fork(import.meta.filename, { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("message", (poured) => resolve(poured as SshPoured));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the pouring process ended with ${code}`)));
    child.send(task);
  });
}

/** Undefined where it was not let in. */
async function enter({ port, privateKey }: SshTask, { logsIn }: Flood): Promise<Client | undefined> {
  const client = new Client();
  client.on("error", () => undefined);
  const login = logsIn ? { privateKey } : { authHandler: () => undefined };
  const came = new Promise<boolean>((resolve) => {
    if (logsIn) client.once("ready", () => resolve(true));
    else client.once("handshake", () => resolve(true));
    client.once("close", () => resolve(false));
  });
  // The library has a type for what may be handed back only.
  const options = { host: "127.0.0.1", port, username: "git", readyTimeout: 0, ...login };
  client.connect(options as Parameters<Client["connect"]>[0]);
  return (await came) ? client : undefined;
}

async function work(task: SshTask): Promise<SshPoured> {
  const flood: Flood = floods[task.kind];
  const until = performance.now() + task.milliseconds;
  const poured: SshPoured = { sent: 0, connections: 0 };
  const isLate = () => performance.now() >= until;
  const one = async () => {
    while (!isLate()) {
      const client = await Promise.race([enter(task, flood), pause(task.milliseconds)]);
      if (!client) {
        await pause(impatienceMs);
        continue;
      }
      poured.connections += 1;
      const isOver = () => isLate() || socketOf(client).destroyed;
      await flood.pour(client, () => (poured.sent += 1), isOver);
      socketOf(client).destroy();
    }
  };
  await Promise.all(Array.from({ length: task.connections }, one));
  return poured;
}

// Only where this file is the program.
if (import.meta.main)
  process.once(
    "message",
    (task) =>
      void work(task as SshTask).then((poured) =>
        process.send?.(poured, undefined, undefined, () => process.exit(0)),
      ),
  );
