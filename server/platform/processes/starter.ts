/** The program that starts programs for a server, as ordered over the channel that it was started with. Ends with its server. */
import { spawn } from "node:child_process";
import { openConnectionReceiver, type ConnectionReceiver } from "./connection-receiver.ts";
import { lowerPriority } from "./lower-priority.ts";
import { abstractAddress, type StarterHello, type StartOrder, type StartReport } from "./start-order.ts";

const report = (message: StartReport) => void process.send?.(message, undefined, undefined, () => undefined);

async function start(receiver: ConnectionReceiver, order: StartOrder): Promise<void> {
  const { id, program, args, directory, env, niceness } = order;
  const handles = await Promise.all(
    order.handles.map(async (number) => (number === null ? null : receiver.expect(number))),
  );
  const child = spawn(program, args, {
    cwd: directory,
    env,
    stdio: handles.map((handle) => handle ?? "ignore"),
    // An own process group: a Ctrl-C in our terminal does not end it, and one signal ends all that it starts.
    detached: true,
  });
  child.once("error", (error) => report({ id, failure: error.message }));
  child.once("exit", (exitCode) => report({ id, exitCode }));
  if (child.pid !== undefined) {
    if (niceness > 0) lowerPriority(child.pid, niceness);
    report({ id, pid: child.pid });
  }
  for (const handle of handles) handle?.destroy();
}

async function open({ name, secret }: StarterHello): Promise<void> {
  const receiver = await openConnectionReceiver(abstractAddress(name), secret);
  process.on("message", (order: StartOrder) => {
    start(receiver, order).catch((error: Error) => report({ id: order.id, failure: error.message }));
  });
  report({ ready: true });
}

// A server that was told to stop still has exchanges to finish; its end ends us.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.once("message", (opening: StarterHello) => void open(opening));
