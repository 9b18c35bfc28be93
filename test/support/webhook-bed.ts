/** A server whose webhooks are sent, to a receiver on loopback; with a worker where retries matter. */
import type { Periods } from "@forgeline/server/config/periods.ts";
import { startApiServer, type ApiAnswer, type ApiServer, type TestPerson } from "./api-server.ts";
import { readBed } from "./bed.ts";
import { eventually } from "./eventually.ts";
import { startWorker } from "./failing-work.ts";
import { startReceiver, type Received, type Receiver } from "./webhook-receiver.ts";

export interface WebhookBed {
  server: ApiServer;
  receiver: Receiver;
  /** Owns what is made here. */
  ada: TestPerson;
  /** As ada. */
  send(method: string, path: string, body?: object): Promise<ApiAnswer>;
  /** A repository, with a webhook that sends to its own path of the receiver. */
  hooked(body?: object): Promise<Hooked>;
  close(): Promise<void>;
}

export interface Hooked {
  /** `/repos/ada/NAME`. */
  path: string;
  id: string;
  secret: string;
  /** Address of the webhook. */
  hook: string;
  /** What came so far. */
  received(): Received[];
  /** An event: the description changes. */
  change(): Promise<void>;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
}

export interface WebhookBedOptions {
  /** Names the task queue. */
  name: string;
  worker: boolean;
  periods?: Partial<Periods>;
  env?: Record<string, string>;
}

export async function startWebhookBed(options: WebhookBedOptions): Promise<WebhookBed> {
  const receiver = await startReceiver();
  const { caFile } = (await readBed()).certificates;
  const server = await startApiServer({
    env: {
      FORGELINE_TASK_QUEUE: `test-${options.name}-${process.pid}`,
      FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
      FORGELINE_OUTBOUND_CA_FILE: caFile,
      ...options.env,
    },
    ...(options.periods ? { periods: options.periods } : {}),
  });
  const ada = await server.person("ada", { isAdmin: true });
  const stop = await (options.worker ? withWorker(server) : withoutWorker(server));
  const send: WebhookBed["send"] = (method, path, body) =>
    server.api(method, path, { token: ada.token, ...(body === undefined ? {} : { body }) });
  let made = 0;
  return {
    server,
    receiver,
    ada,
    send,
    async hooked(body = {}) {
      const name = `hooked-${made++}`;
      await send("POST", "/repos", { name, readme: true });
      return hookOn(`/repos/ada/${name}`, { send, receiver }, body);
    },
    async close() {
      await stop();
      await server.stop();
      await receiver.close();
    },
  };
}

async function hookOn(
  path: string,
  { send, receiver }: Pick<WebhookBed, "send" | "receiver">,
  body: object,
): Promise<Hooked> {
  const given = { url: `${receiver.url}${path}`, events: ["repository"], ...body };
  const { status, json, text } = await send("POST", `${path}/webhooks`, given);
  if (status !== 201) throw new Error(text);
  const hook = `${path}/webhooks/${json["id"]}`;
  let changes = 0;
  return {
    path,
    id: json["id"] as string,
    secret: json["secret"] as string,
    hook,
    received: () => receiver.received.filter((one) => one.path === path),
    change: async () => void (await send("PATCH", path, { description: `${changes++}` })),
    async settled() {
      const waiting = async () => (await send("GET", hook)).json["waiting"] as number;
      await eventually(async () => (await waiting()) === 0, { timeoutMs: 90_000 });
    },
  };
}

/** First attempts alone, in this process. */
async function withoutWorker({ container }: ApiServer): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const following = container.automation.followerRunner.run("webhooks", stopping.signal);
  return async () => {
    stopping.abort();
    await following;
  };
}

async function withWorker(server: ApiServer): Promise<() => Promise<void>> {
  const stop = await startWorker(server);
  await server.container.automation.followerWorkflows.keep();
  return stop;
}
