/** R7: worker, server, PostgreSQL and Temporal are killed under a stream of events, to a receiver that does all that receivers do. */
import { setTimeout as sleep } from "node:timers/promises";
import { readBed, type RunningBed } from "../../support/bed.ts";
import { eventually } from "../../support/eventually.ts";
import { serverIsReady, startTestInstance, type TestInstance } from "../../support/instance.ts";
import {
  changeSteadily,
  hookInstance,
  problemsAt,
  type InstanceWebhook,
} from "../../support/instance-webhook.ts";
import { startOwnBed } from "../../support/own-bed.ts";
import {
  accepting,
  acceptingAfter,
  refusing,
  resetting,
  signatureOf,
  startReceiver,
  withoutEnd,
  type Answer,
  type Receiver,
} from "../../support/webhook-receiver.ts";
import type { Round, Scenario } from "../scenario.ts";

const eventsOfRound = 500;
/** One of so many requests is not accepted, so that the endpoint is not taken for dead. */
const oneOf = 6;
const settleMs = 240_000;

const misbehaviours: Answer[] = [refusing(500), refusing(410), resetting, acceptingAfter(9_900), withoutEnd];

/** Refuses some, and counts what it accepted more than once. */
function misbehaving(random: () => number): { answer: Answer; again(): number } {
  const accepted = new Map<string, number>();
  return {
    answer(request, response, count) {
      if (random() * oneOf < 1)
        return misbehaviours[Math.floor(random() * misbehaviours.length)]?.(request, response, count);
      const id = String(request.headers["x-svc-delivery"]);
      accepted.set(id, (accepted.get(id) ?? 0) + 1);
      accepting(request, response, count);
    },
    again: () => [...accepted.values()].filter((times) => times > 1).length,
  };
}

interface Parts {
  own: RunningBed;
  instance: TestInstance;
}

/** Ends one part as a power cut would, and starts it again. */
async function kill({ own, instance }: Parts, part: string): Promise<void> {
  const [server] = instance.servers;
  if (part === "postgresql" || part === "temporal") return own.kill(part);
  const program = part === "worker" ? instance.worker : server?.program;
  await program?.kill();
  program?.start();
  if (part === "server" && server) await serverIsReady(server, instance.certificates);
}

const parts = ["worker", "server", "postgresql", "temporal"];

async function round(bed: Parts & { receiver: Receiver }, random: () => number): Promise<Round> {
  const hook = await hookInstance(bed.instance, bed.receiver);
  const behaviour = misbehaving(random);
  bed.receiver.answer = behaviour.answer;
  const changing = changeSteadily(hook);
  const killed: string[] = [];
  while (changing.count() < eventsOfRound) {
    await sleep(500 + random() * 1_500);
    const part = parts[Math.floor(random() * parts.length)] ?? "worker";
    await kill(bed, part);
    killed.push(part);
  }
  const acknowledged = await changing.stop();
  bed.receiver.answer = accepting;
  await eventually(async () => problemsAt(hook, acknowledged).length === 0 && (await hook.waiting()) === 0, {
    timeoutMs: settleMs,
  }).catch(() => undefined);
  return judge(hook, { acknowledged, killed, again: behaviour.again() });
}

function judge(
  hook: InstanceWebhook,
  { acknowledged, killed, again }: { acknowledged: readonly string[]; killed: string[]; again: number },
): Round {
  const problems = problemsAt(hook, acknowledged);
  const received = hook.received();
  const forged = received.filter(
    ({ body, headers }) => headers["x-svc-signature-256"] !== signatureOf(hook.secret, body),
  );
  const total = new Set(received.map(({ json }) => json["sequence"])).size;
  const twoIds = problems.filter((problem) => problem.startsWith("two ids"));
  return {
    verdict: problems.length === 0 && forged.length === 0 ? "good" : "bad",
    counts: {
      "events that never arrived": { bad: problems.length - twoIds.length, total },
      "events under two ids": { bad: twoIds.length, total },
      "invalid signatures": { bad: forged.length, total: received.length },
    },
    measures: { "events accepted more than once": again },
    faults: killed.length,
    fault: `kill -9 of ${killed.join(", ")} under ${acknowledged.length} changes`,
    problems: problems.slice(0, 10),
  };
}

export const webhooks: Scenario = {
  row: "R7",
  name: "webhooks",
  promise:
    "Worker, server, PostgreSQL and Temporal die under a stream of events, and the receiver misbehaves: each event arrives, under one id, signed",
  async open() {
    const own = await startOwnBed();
    const receiver = await startReceiver();
    const { caFile } = (await readBed()).certificates;
    const instance = await startTestInstance({
      runners: 0,
      env: { FORGELINE_OUTBOUND_ALLOW: "127.0.0.1", FORGELINE_OUTBOUND_CA_FILE: caFile },
    });
    return {
      round: (random) => round({ own, instance, receiver }, random),
      async close() {
        await instance.stop();
        await receiver.close();
        await own.stop();
        return [];
      },
    };
  },
};
